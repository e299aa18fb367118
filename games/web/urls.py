from django.urls import path

from games.web import display

urlpatterns = [
    path("settings/display/", display.change, name="display"),
]
