"""One's own webhooks: made, tested, watched, removed."""

from typing import Any, Final

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.models import Scope, Webhook, WebhookDelivery
from accounts.webhooks import keeping
from games.api import answers, serializers
from games.api.base import ApiView, user_of
from games.api.parsing import body_of, query_of
from games.api.retries import answered_once
from games.api.schema import IDEMPOTENCY_KEY, WRITING, endpoint

WEBHOOK: Final = OpenApiParameter(
    "webhook",
    {"type": "integer", "minimum": 1},
    OpenApiParameter.PATH,
    description="A webhook's id.",
)
DELIVERY: Final = OpenApiParameter(
    "delivery",
    {"type": "string", "pattern": "^msg_[0-9a-f]{24}$"},
    OpenApiParameter.PATH,
    description="A delivery's id.",
)
SHOWN: Final = 100
SCOPE: Final = Scope.WEBHOOKS_WRITE


class WebhooksView(ApiView):
    scopes = {"GET": SCOPE, "POST": SCOPE}
    buckets = {"POST": limits.CREATIONS}

    @endpoint("webhooks", answers={200: answers.Webhooks}, scope=SCOPE)
    def get(self, request: Request) -> Response:
        """My webhooks."""
        query_of(request, serializers.NoQuery)
        return Response({"webhooks": [_shown(each) for each in user_of(request).webhooks.all()]})

    @endpoint(
        "make_webhook",
        body=serializers.MakeWebhook,
        answers={201: answers.NewWebhook},
        scope=SCOPE,
        problems=WRITING,
        parameters=[IDEMPOTENCY_KEY],
    )
    @answered_once
    def post(self, request: Request) -> Response:
        """Have an address told what happens to me, signed as Standard Webhooks has it. 10 at the most."""
        wanted = body_of(request, serializers.MakeWebhook)
        webhook, secret = keeping.make(user_of(request), **wanted, now=timezone.now())
        return Response({**_shown(webhook), "secret": secret}, status=201)


class WebhookView(ApiView):
    scopes = {"GET": SCOPE, "DELETE": SCOPE}

    @endpoint("webhook", answers={200: answers.Webhook}, scope=SCOPE, parameters=[WEBHOOK])
    def get(self, request: Request, webhook: int) -> Response:
        """One of my webhooks."""
        query_of(request, serializers.NoQuery)
        return Response(_shown(_own(request, webhook)))

    @endpoint("remove_webhook", answers={204: None}, scope=SCOPE, parameters=[WEBHOOK])
    def delete(self, request: Request, webhook: int) -> Response:
        """Tell this address nothing any more, and forget what it was told."""
        _own(request, webhook).delete()
        return Response(status=204)


class WebhookSecretView(ApiView):
    scopes = {"POST": SCOPE}

    @endpoint(
        "change_webhook_secret",
        body=serializers.Nothing,
        answers={201: answers.WebhookSecret},
        scope=SCOPE,
        problems=WRITING,
        parameters=[WEBHOOK, IDEMPOTENCY_KEY],
    )
    @answered_once
    def post(self, request: Request, webhook: int) -> Response:
        """A new secret. For 24 hours every message is signed with both."""
        body_of(request, serializers.Nothing)
        secret = keeping.change_secret(_own(request, webhook), now=timezone.now())
        return Response({"secret": secret}, status=201)


class WebhookEnableView(ApiView):
    scopes = {"POST": SCOPE}

    @endpoint(
        "enable_webhook",
        body=serializers.Nothing,
        answers={200: answers.Webhook},
        scope=SCOPE,
        problems=WRITING,
        parameters=[WEBHOOK],
    )
    def post(self, request: Request, webhook: int) -> Response:
        """Switch on again what was disabled. What waits for you then is told, what happened meanwhile is not."""
        body_of(request, serializers.Nothing)
        keeping.switch_on(_own(request, webhook))
        return Response(_shown(_own(request, webhook)))


class WebhookTestView(ApiView):
    scopes = {"POST": SCOPE}
    buckets = {"POST": limits.CREATIONS}

    @endpoint(
        "test_webhook",
        body=serializers.Nothing,
        answers={202: answers.Delivery},
        scope=SCOPE,
        problems=WRITING,
        parameters=[WEBHOOK, IDEMPOTENCY_KEY],
    )
    @answered_once
    def post(self, request: Request, webhook: int) -> Response:
        """Send a message of type `test`. What becomes of it is among the deliveries."""
        body_of(request, serializers.Nothing)
        sent = keeping.send_test(_own(request, webhook), now=timezone.now())
        return Response(_delivery(sent), status=202)


class DeliveriesView(ApiView):
    scopes = {"GET": SCOPE}

    @endpoint("deliveries", answers={200: answers.Deliveries}, scope=SCOPE, parameters=[WEBHOOK])
    def get(self, request: Request, webhook: int) -> Response:
        """What this webhook was told in the last 30 days and what became of it: the newest 100."""
        query_of(request, serializers.NoQuery)
        deliveries = _own(request, webhook).deliveries.all()[:SHOWN]
        return Response({"deliveries": [_delivery(each) for each in deliveries]})


class RedeliverView(ApiView):
    scopes = {"POST": SCOPE}
    buckets = {"POST": limits.CREATIONS}

    @endpoint(
        "redeliver",
        body=serializers.Nothing,
        answers={202: answers.Delivery},
        scope=SCOPE,
        problems=WRITING,
        parameters=[WEBHOOK, DELIVERY],
    )
    def post(self, request: Request, webhook: int, delivery: str) -> Response:
        """Send a message once more, under the same id."""
        body_of(request, serializers.Nothing)
        mine = _own(request, webhook).deliveries
        found = mine.filter(pk=delivery).first()
        if found is None:
            raise Http404
        keeping.send_again(found, now=timezone.now())
        return Response(_delivery(mine.get(pk=delivery)), status=202)


def _own(request: Request, webhook: int) -> Webhook:
    """The caller's webhook of this number. Somebody else's looks like none."""
    found = user_of(request).webhooks.filter(pk=webhook).first()
    if found is None:
        raise Http404
    return found


def _shown(webhook: Webhook) -> dict[str, Any]:
    return {
        "id": webhook.pk,
        "url": webhook.url,
        "events": webhook.events,
        "created_at": webhook.created_at,
        "failing_since": webhook.failing_since,
        "disabled": webhook.disabled or None,
    }


def _delivery(delivery: WebhookDelivery) -> dict[str, Any]:
    is_queued = delivery.status == WebhookDelivery.Status.QUEUED
    return {
        "id": delivery.pk,
        "type": delivery.kind,
        "body": delivery.body,
        "created_at": delivery.created_at,
        "status": delivery.status,
        "attempts": delivery.attempts,
        "next_attempt_at": delivery.next_attempt_at if is_queued else None,
        "last_attempt_at": delivery.last_attempt_at,
        "answer": delivery.answer,
        "error": delivery.error or None,
    }
