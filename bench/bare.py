"""The least a move and a page could be: a DRF view that locks one row and inserts one, and the empty frame of a page."""

from datetime import timedelta
from secrets import token_hex

from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import Game


class Bare(APIView):
    def post(self, request: Request, game: str) -> Response:
        with transaction.atomic():
            Game.objects.select_for_update().get(pk=game)
            Session.objects.create(
                session_key=token_hex(16),
                session_data="",
                expire_date=timezone.now() + timedelta(days=1),
            )
        return Response({"game": game})


def empty(request: HttpRequest) -> HttpResponse:
    """The frame of a page, and nothing in it."""
    return render(request, "base.html")


urlpatterns = [
    path("bench/empty/", empty),
    path("bench/bare/<str:game>", Bare.as_view()),
    path("", include("callbreak_site.urls")),
]
