from django.urls import path

from accounts import views

urlpatterns = [
    path("i18n/setlang/", views.choose_language, name="set_language"),
    path("accounts/keep/", views.keep, name="account_keep"),
    path("settings/tokens/", views.tokens, name="tokens"),
    path("settings/tokens/<int:pk>/revoke/", views.revoke, name="token_revoke"),
]
