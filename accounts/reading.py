"""Pages of the staff to look at and not to write on, of people and of games."""

from typing import Any, TypeVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

M = TypeVar("M", bound=Model)
P = TypeVar("P", bound=Model)


class ShownAdmin(admin.ModelAdmin[M]):
    """Rows that nobody adds or changes here, and of which an address asks for nothing but what the page shows."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """What a page does not show cannot be asked for in its address either: an answer would tell it bit by bit."""
        filters = [getattr(each, "parameter_name", each) for each in self.list_filter]
        named = [*self.list_display, *(self.fields or ()), *filters, "pk", "id"]
        return lookup.partition("__")[0] in named and super().lookup_allowed(lookup, value, request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(ShownAdmin[M]):
    """Rows that nobody deletes here either."""

    show_full_result_count = False
    list_per_page = 50

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyInline(admin.TabularInline[M, P]):
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
