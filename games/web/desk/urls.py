"""The addresses of the desk, below /admin/desk/."""

from django.urls import path

from games.web.desk import pages

urlpatterns = [
    path("", pages.queue, name="desk"),
    path("open", pages.open_case, name="desk_open"),
    path("<int:case_id>/", pages.review, name="desk_case"),
    path("<int:case_id>/do", pages.act, name="desk_act"),
    path("<int:case_id>/propose", pages.propose, name="desk_propose"),
]
