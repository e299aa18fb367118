"""People and tokens for the staff. No token's text or hash, no password, is ever shown."""

from allauth.mfa import admin as _registered_by_allauth  # noqa: F401 - before we take its page away
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from accounts.models import ApiToken, OutgoingMail, User


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
    readonly_fields = ["last_login", "date_joined"]


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


@admin.register(Authenticator)
class SecondFactorAdmin(admin.ModelAdmin[Authenticator]):
    """To see who has one, and to take it away from somebody who lost it: never what codes are made from."""

    list_display = ["user", "type", "created_at", "last_used_at"]
    list_select_related = ["user"]
    list_filter = ["type"]
    search_fields = ["user__username"]
    fields = ["user", "type", "created_at", "last_used_at"]
    readonly_fields = ["user", "type", "created_at", "last_used_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False


@admin.register(OutgoingMail)
class OutgoingMailAdmin(admin.ModelAdmin[OutgoingMail]):
    """What waits, and for how long: never the text, which may hold a link that logs in."""

    list_display = ["to", "subject", "created_at", "attempts", "next_attempt_at"]
    fields = ["to", "subject", "created_at", "attempts", "next_attempt_at"]
    readonly_fields = ["to", "subject", "created_at", "attempts", "next_attempt_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: OutgoingMail | None = None) -> bool:
        return False
