"""The addresses of the protocol, by the names that the toolkit knows them by."""

from django.urls import path

from accounts.oauth.protocol import AppRevokeView, AppTokenView, ConsentView

app_name = "oauth2_provider"

urlpatterns = [
    path("authorize", ConsentView.as_view(), name="authorize"),
    path("token", AppTokenView.as_view(), name="token"),
    path("revoke", AppRevokeView.as_view(), name="revoke-token"),
]
