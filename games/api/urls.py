"""The addresses of the API, below /api/v1/."""

from django.urls import path, register_converter

from games.api import bots, coaching, disputes, proofs, streams, tokens, views, webhooks


class GameId:
    """Twelve characters that no two people read differently. Anything else is no address at all."""

    regex = "[2-9A-HJKMNP-TV-Z]{12}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class SeatNumber:
    """One of the four seats."""

    regex = "[0-3]"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(GameId, "api_game")
register_converter(SeatNumber, "api_seat")

urlpatterns = [
    path("rules", views.RulesView.as_view(), name="api-rules"),
    path("me", views.MeView.as_view(), name="api-me"),
    path("me/turns", views.TurnsView.as_view(), name="api-my-turns"),
    path("me/stream", streams.AccountStreamView.as_view(), name="api-my-stream"),
    path("disputes/mine", disputes.MyDisputesView.as_view(), name="api-my-disputes"),
    path("games/<api_game:game>/disputes", disputes.DisputesView.as_view(), name="api-disputes"),
    path("tokens", tokens.TokensView.as_view(), name="api-tokens"),
    path("tokens/<int:token>", tokens.TokenView.as_view(), name="api-token"),
    path("bots", bots.BotsView.as_view(), name="api-bots"),
    path("webhooks", webhooks.WebhooksView.as_view(), name="api-webhooks"),
    path("webhooks/<int:webhook>", webhooks.WebhookView.as_view(), name="api-webhook"),
    path(
        "webhooks/<int:webhook>/secret",
        webhooks.WebhookSecretView.as_view(),
        name="api-webhook-secret",
    ),
    path(
        "webhooks/<int:webhook>/enable",
        webhooks.WebhookEnableView.as_view(),
        name="api-webhook-enable",
    ),
    path(
        "webhooks/<int:webhook>/test", webhooks.WebhookTestView.as_view(), name="api-webhook-test"
    ),
    path(
        "webhooks/<int:webhook>/deliveries",
        webhooks.DeliveriesView.as_view(),
        name="api-deliveries",
    ),
    path(
        "webhooks/<int:webhook>/deliveries/<slug:delivery>/redeliver",
        webhooks.RedeliverView.as_view(),
        name="api-redeliver",
    ),
    path("games", views.GamesView.as_view(), name="api-games"),
    path("games/reserve", views.ReserveView.as_view(), name="api-reserve"),
    path("games/<api_game:game>", views.GameView.as_view(), name="api-game"),
    path("games/<api_game:game>/seats", views.SeatsView.as_view(), name="api-seats"),
    path("games/<api_game:game>/seats/me", views.MySeatView.as_view(), name="api-my-seat"),
    path(
        "games/<api_game:game>/seats/<api_seat:seat>/offer",
        views.OfferView.as_view(),
        name="api-offer",
    ),
    path(
        "games/<api_game:game>/seats/<api_seat:seat>/substitute",
        views.SubstituteView.as_view(),
        name="api-substitute",
    ),
    path("games/<api_game:game>/seats/me/back", views.BackView.as_view(), name="api-back"),
    path("games/<api_game:game>/start", views.StartView.as_view(), name="api-start"),
    path("games/<api_game:game>/moves", views.MovesView.as_view(), name="api-moves"),
    path("games/<api_game:game>/claims", views.ClaimsView.as_view(), name="api-claims"),
    path(
        "games/<api_game:game>/rounds/<int:round>/plan", views.PlanView.as_view(), name="api-plan"
    ),
    path(
        "games/<api_game:game>/rounds/<int:round>/autopilot",
        views.AutopilotView.as_view(),
        name="api-autopilot",
    ),
    path("games/<api_game:game>/coach", coaching.MatchView.as_view(), name="api-match-coach"),
    path(
        "games/<api_game:game>/rounds/<int:round>/coach",
        coaching.RoundView.as_view(),
        name="api-coach",
    ),
    path(
        "games/<api_game:game>/rounds/<int:round>/bid-help",
        coaching.BidHelpView.as_view(),
        name="api-bid-help",
    ),
    path("games/<api_game:game>/events", views.EventsView.as_view(), name="api-events"),
    path("games/<api_game:game>/stream", streams.GameStreamView.as_view(), name="api-stream"),
    path("games/<api_game:game>/export", views.ExportView.as_view(), name="api-export"),
    path("games/<api_game:game>/proof", proofs.ProofView.as_view(), name="api-proof"),
    path("checkpoints", proofs.CheckpointsView.as_view(), name="api-checkpoints"),
    path("games/<api_game:game>/transcript", views.TranscriptView.as_view(), name="api-transcript"),
]
