"""What webhooks are told: the news of their users, as their account streams have them, in ids alone."""

from datetime import datetime

from django.db import transaction

from accounts.models import Webhook
from accounts.webhooks.keeping import queue
from games.news import OPENED, News, Place, since

_SAID = ("game", "round", "turn")


def collect(*, now: datetime) -> int:
    """Queue what there is to tell every webhook; how many messages that makes. What one tells and how far it told are written
    together, so nothing is told twice and nothing is lost.
    """
    webhooks = Webhook.objects.filter(disabled="").values_list("pk", flat=True)
    return sum(_collect(pk, now) for pk in webhooks)


@transaction.atomic
def _collect(pk: int, now: datetime) -> int:
    webhook = Webhook.objects.select_for_update(skip_locked=True).filter(pk=pk, disabled="").first()
    if webhook is None:
        return 0
    place = Place.parse(webhook.place) if webhook.place else Place(now, is_new=True)
    news, place = since(webhook.user_id, place, now=now)
    told = [each for each, _place in news if each.kind in webhook.events and not _is_taken(each)]
    for each in told:
        data = {name: each.data[name] for name in _SAID if name in each.data}
        queue(webhook, each.kind, data, now=now)
    if str(place) != webhook.place:
        webhook.place = str(place)
        webhook.save(update_fields=["place"])
    return len(told)


def _is_taken(news: News) -> bool:
    """Whether the turn that opened was taken before anybody was told: it waits no more, so there is nothing to call a server for."""
    return news.kind == OPENED and news.data["deadline"] is None
