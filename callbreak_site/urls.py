"""Every address of the site. Errors of Django's own are answered in the tongue of their address."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from callbreak_site import errors, health
from games.api.views import errors_page, guide_page

admin.site.site_header = admin.site.site_title = "Callbreak"
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign] # as allauth wants it

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.server_error

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("admin/desk/", include("games.web.desk.urls")),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("api/v1/openapi.yaml", SpectacularAPIView.as_view(), name="openapi"),
    path(
        "api/docs/",
        # The split view loads its script from an address of its own: no inline script.
        SpectacularSwaggerSplitView.as_view(url_name="openapi"),
        name="api-docs",
    ),
    path("api/docs/start", guide_page, name="api-guide"),
    path("api/docs/errors", errors_page, name="api-errors"),
    path("api/v1/", include("games.api.urls")),
    path("", include("games.web.urls")),
]
