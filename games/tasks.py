"""What a worker does: fetch, call a service, nothing else. Any of these may run late, twice or never without harm."""

from typing import Final

from celery import shared_task
from django.utils import timezone

from accounts.webhooks import deliveries
from games import webhooks
from games.notices import pushing, sending
from games.services import (
    checkpoints,
    coaching,
    counting,
    following,
    inspecting,
    pace,
    quarantine,
    signalling,
)
from games.services.desk import verdicts

BOT_SECONDS: Final = 10


# A bot that has not answered by the first of these gives way to the stand-in, one that does not even do that is killed with
# its process. Threads know no limits: there the sweep's next task passes the bot by.
@shared_task(name="games.tasks.follow_up", soft_time_limit=BOT_SECONDS, time_limit=BOT_SECONDS + 5)
def follow_up(game_id: str, round: int, turn: int) -> None:
    """See to a decision, if it is still to be made."""
    with quarantine.watch(now=timezone.now()):
        following.follow_up(game_id, round=round, turn=turn, now=timezone.now())


@shared_task(name="games.tasks.wake")
def wake(game_id: str, round: int) -> None:
    """See to the clocks of a round."""
    with quarantine.watch(now=timezone.now()):
        pace.wake(game_id, round=round, now=timezone.now())


@shared_task(name="games.tasks.coach", soft_time_limit=60, time_limit=70)
def coach(game_id: str, round: int, owner: int) -> None:
    """Judge the decisions that this user made in a round."""
    coaching.work(game_id, round=round, owner=owner, now=timezone.now())


@shared_task(name="games.tasks.sweep")
def sweep() -> None:
    """Find the bots that nobody nudged, the clocks that have run out, and the coach's work that lies about."""
    pace.sweep(now=timezone.now())
    coaching.sweep(now=timezone.now())


@shared_task(name="games.tasks.inspect_game")
def inspect_game(game_id: str) -> None:
    """Look at a game that somebody could not be shown."""
    quarantine.look_at(game_id, now=timezone.now())


@shared_task(name="games.tasks.see_to_quarantine")
def see_to_quarantine() -> None:
    """Let frozen games go on that may."""
    quarantine.see_to(now=timezone.now())


@shared_task(name="games.tasks.send_notices")
def send_notices() -> None:
    """Send what people are to be told now."""
    sending.send_due(now=timezone.now())


@shared_task(name="games.tasks.send_pushes")
def send_pushes() -> None:
    """Tell the devices of people what waits for them."""
    pushing.send_due(now=timezone.now())


@shared_task(name="games.tasks.forget_notices")
def forget_notices() -> None:
    """Keep the ledger of notices short."""
    sending.forget_old(now=timezone.now())


@shared_task(name="games.tasks.make_checkpoint")
def make_checkpoint() -> None:
    """Sign today's root, if it is not signed yet."""
    checkpoints.make_checkpoint(now=timezone.now())


@shared_task(name="games.tasks.begin_inspection")
def begin_inspection() -> None:
    """Begin the nightly look at everything that is stored."""
    inspecting.begin(now=timezone.now())


@shared_task(name="games.tasks.inspect_some")
def inspect_some() -> None:
    """Go on with it, if it is going on."""
    inspecting.go_on(now=timezone.now())


@shared_task(name="games.tasks.count_deals")
def count_deals() -> None:
    """Count the deals whose seeds were revealed since."""
    counting.count_some(now=timezone.now())


@shared_task(name="games.tasks.weigh_rounds")
def weigh_rounds() -> None:
    """Weigh some more finished rounds for the reviewers."""
    signalling.weigh_some(now=timezone.now())


@shared_task(name="games.tasks.see_to_cases")
def see_to_cases() -> None:
    """Make the rulings that have waited in public for a day."""
    verdicts.make_due(now=timezone.now())


@shared_task(name="games.tasks.tell_webhooks")
def tell_webhooks() -> None:
    """Write down what webhooks are to be told, and send what is due."""
    webhooks.collect(now=timezone.now())
    deliveries.send_due(now=timezone.now())


@shared_task(name="games.tasks.forget_deliveries")
def forget_deliveries() -> None:
    """Keep the log of webhooks short."""
    deliveries.forget_old(now=timezone.now())
