"""Every address of the site. Errors of Django's own are answered in the tongue of their address."""

from allauth.account.decorators import secure_admin_login
from django.apps import apps
from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from accounts.oauth.protocol import metadata
from callbreak_site import errors, health
from games.api.views import errors_page, guide_page, schema_file

admin.site.site_header = admin.site.site_title = "Callbreak"
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign] # as allauth wants it

# The toolkit's own lists: whoever looks through them finds nothing to decide by, and could change whom an app is.
for model in apps.get_app_config("oauth2_provider").get_models():
    if admin.site.is_registered(model):
        admin.site.unregister(model)

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
    path("oauth/", include("accounts.oauth.urls")),
    path(".well-known/oauth-authorization-server", metadata, name="oauth-metadata"),
    path("accounts/", include("allauth.urls")),
    path("api/v1/openapi.yaml", schema_file, name="openapi"),
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
