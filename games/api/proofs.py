"""The daily roots, for everybody, and the proof that a game is below one, for whoever may see it."""

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from games import receipts, transparency
from games.api import answers, serializers
from games.api.base import ApiView
from games.api.parsing import query_of
from games.api.schema import GAME, endpoint


class CheckpointsView(ApiView):
    scopes = {"GET": None}
    is_public = True

    @endpoint(
        "checkpoints",
        answers={200: answers.Checkpoints},
        scope=None,
        public=True,
        parameters=[serializers.CheckpointsQuery],
    )
    def get(self, request: Request) -> Response:
        """The signed daily roots over all games, newest first, each chained to the one before."""
        wanted = query_of(request, serializers.CheckpointsQuery)
        rows = transparency.published()
        if "before" in wanted:
            rows = rows.filter(number__lt=wanted["before"])
        shown = [transparency.as_json(row) for row in rows[: wanted["limit"]]]
        return Response({"public_key": receipts.public_key(), "checkpoints": shown})


class ProofView(ApiView):
    scopes = {"GET": Scope.GAMES_READ}
    is_public = True

    @endpoint(
        "proof",
        answers={200: answers.Inclusion},
        scope=Scope.GAMES_READ,
        public=True,
        parameters=[GAME],
    )
    def get(self, request: Request, game: str) -> Response:
        """That the game, with its head of that day, is below the newest daily root."""
        query_of(request, serializers.NoQuery)
        return Response({"proof": transparency.proof_of(game, request.user.pk)})
