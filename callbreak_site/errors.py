"""Answers to what Django itself refuses: `problem+json` under /api/, a page elsewhere."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import get_template
from django.utils.translation import gettext as _

from games.api.errors import problem

API = "/api/"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(API):
        return problem(400, "malformed", _("This request cannot be understood."))
    return _bare_page("400.html", 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(API):
        return problem(403, "permission", _("You may not do this."))
    return render(request, "403.html", status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    if request.path.startswith(API):
        return problem(403, "csrf", _("The CSRF token is missing or wrong."))
    return render(request, "403_csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(API):
        return problem(404, "not_found", _("There is nothing here."))
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    if request.path.startswith(API):
        return problem(500, "server_error", _("Something broke here. Nothing was changed."))
    return _bare_page("500.html", 500)


def _bare_page(template: str, status: int) -> HttpResponse:
    """A page made without the request: a middleware may have refused it before it had a user, and
    whatever broke must not break the page that says so."""
    return HttpResponse(get_template(template).render(), status=status)
