"""People and tokens for the staff. No token's text or hash, no password, is ever shown."""

from typing import Any

from allauth.account import admin as _addresses  # noqa: F401 - registers its page, which we take away
from allauth.account.models import EmailAddress
from allauth.mfa import admin as _second_factors  # noqa: F401 - likewise
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from accounts.models import ApiToken, OutgoingMail, User
from accounts.reading import ReadOnlyAdmin, ShownAdmin


@admin.register(User)
class PersonAdmin(UserAdmin[User]):
    list_display = ["username", "email", "is_guest", "is_bot", "is_staff", "date_joined"]
    list_filter = ["is_guest", "is_bot", "is_staff", "is_active"]
    search_fields = ["username", "email"]
    fieldsets = [
        (None, {"fields": ["username", "email", "password"]}),
        ("Who they are", {"fields": ["is_guest", "is_bot", "owner", "language", "time_zone"]}),
        ("What they may", {"fields": ["is_active", "is_staff", "is_superuser", "groups"]}),
        ("When", {"fields": ["last_login", "date_joined"]}),
    ]
    filter_horizontal = ["groups"]
    raw_id_fields = ["owner"]
    # Whoever set a password or an address could log in as that person. A password is reset by its owner, by mail.
    readonly_fields = ["email", "last_login", "date_joined"]

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if obj is None:
            return super().get_fieldsets(request, obj)
        return [("Account", {"fields": ["username", "email"]}), *self.fieldsets[1:]]

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        raise PermissionDenied


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin[ApiToken]):
    """To see and to revoke: a token made here would be known to two people."""

    list_display = ["prefix", "name", "user", "created_at", "last_used_at", "revoked_at"]
    list_select_related = ["user"]
    search_fields = ["prefix", "name", "user__username"]
    fields = [
        "user", "name", "prefix", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at",
    ]  # fmt: skip
    readonly_fields = [
        "user", "name", "prefix", "scopes", "created_at", "expires_at", "last_used_at",
    ]  # fmt: skip

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


admin.site.unregister(Authenticator)
admin.site.unregister(EmailAddress)


@admin.register(EmailAddress)
class EmailAddressAdmin(ReadOnlyAdmin[EmailAddress]):
    """To see whether an address is confirmed. To add one would be a way into its account."""

    list_display = ["email", "user", "primary", "verified"]
    list_select_related = ["user"]
    list_filter = ["verified"]
    search_fields = ["email", "user__username"]


@admin.register(Authenticator)
class SecondFactorAdmin(ShownAdmin[Authenticator]):
    """To see who has one, and to take it away from somebody who lost it: never what codes are made from."""

    list_display = ["user", "type", "created_at", "last_used_at"]
    list_select_related = ["user"]
    list_filter = ["type"]
    search_fields = ["user__username"]
    fields = ["user", "type", "created_at", "last_used_at"]
    readonly_fields = ["user", "type", "created_at", "last_used_at"]


@admin.register(OutgoingMail)
class OutgoingMailAdmin(ShownAdmin[OutgoingMail]):
    """What waits, and for how long: never the text, which may hold a link that logs in."""

    list_display = ["to", "subject", "created_at", "attempts", "next_attempt_at"]
    fields = ["to", "subject", "created_at", "attempts", "next_attempt_at"]
    readonly_fields = ["to", "subject", "created_at", "attempts", "next_attempt_at"]
