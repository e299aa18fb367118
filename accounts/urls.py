from django.urls import path

from accounts import views
from accounts.oauth import pages as apps
from accounts.webhooks import pages

urlpatterns = [
    path("i18n/setlang/", views.choose_language, name="set_language"),
    path("accounts/keep/", views.keep, name="account_keep"),
    path("settings/tokens/", views.tokens, name="tokens"),
    path("settings/tokens/<int:pk>/revoke/", views.revoke, name="token_revoke"),
    path("settings/apps/", apps.apps, name="apps"),
    path("settings/apps/<int:pk>/delete/", apps.delete, name="app_delete"),
    path("settings/apps/<int:pk>/end/", apps.end, name="app_end"),
    path("settings/bots/", views.bots, name="bots"),
    path("settings/bots/<int:pk>/token/", views.bot_token, name="bot_token"),
    path("settings/webhooks/", pages.webhooks, name="webhooks"),
    path("settings/webhooks/<int:pk>/", pages.change, name="webhook_change"),
    path("settings/webhooks/deliveries/<slug:pk>/", pages.send_again, name="webhook_send_again"),
]
