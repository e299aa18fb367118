"""The shapes of answers, for the OpenAPI schema alone: no answer is made by these, they only describe what `queries` makes."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from accounts.models import Scope
from accounts.models import Webhook as WebhookRow
from accounts.models import WebhookDelivery as DeliveryRow
from games.api.rulebook import openapi_schema
from games.api.serializers import CLOCK, StandingPlan
from games.engine.errors import Code
from games.engine.plan import AskReason, StopReason
from games.engine.rules import FIELDS, NAMES
from games.engine.scoring import End
from games.models import Case as CaseRow
from games.models import Decision as DecisionRow
from games.models import Event as EventRow
from games.models import Game as GameRow
from games.models import Report as ReportRow

Answer = s.Serializer[Any]  # never filled: see above

CARD: Final = "Rank, then suit: `QS`."
SEAT_KINDS: Final = ["open", "human", "bot", "bot_account", "stand_in"]
ROUND_STATES: Final = ["bidding", "playing", "scored", "void"]
END_REASONS: Final = [*(end.value for end in End), "abandoned"]
PLAYER_KINDS: Final = ["human", "guest", "bot_account"]
HEX: Final = r"^[0-9a-f]{64}$"


def _seat(**kwargs: Any) -> s.IntegerField:
    return s.IntegerField(min_value=0, max_value=3, **kwargs)


def _hash(**kwargs: Any) -> s.RegexField:
    return s.RegexField(HEX, **kwargs)


def _card(**kwargs: Any) -> s.RegexField:
    return s.RegexField("^[2-9TJQKA][CDHS]$", help_text=CARD, **kwargs)


def _four(child: s.Field[Any, Any, Any, Any], **kwargs: Any) -> s.ListField:
    return s.ListField(child=child, min_length=4, max_length=4, **kwargs)


@extend_schema_field(CLOCK)
class Clock(s.DictField):
    pass


@extend_schema_field(
    {
        "type": "object",
        "required": list(FIELDS),
        "properties": {
            "name": {"type": "string", "enum": list(NAMES)},
            **openapi_schema()["properties"],
        },
    }
)
class Rules(s.DictField):
    pass


@extend_schema_field({"type": "object", "additionalProperties": True})
class AnyObject(s.DictField):
    pass


class Problem(Answer):
    """RFC 9457. More members may stand beside these; those below are the ones a program can use."""

    type = s.CharField(help_text="A path: what is known about this kind of problem.")
    title = s.CharField()
    status = s.IntegerField()
    detail = s.CharField(help_text="A sentence for people.")
    code = s.CharField(help_text="Stable, listed at /api/docs/errors.")
    field = s.CharField(required=False, help_text="Which part of the input is meant.")
    scope = s.CharField(required=False, help_text="The scope that the token lacks.")
    rule = s.CharField(required=False, help_text="The citation of the rule: `arcadia/beat`.")
    turn = s.IntegerField(required=False, allow_null=True, help_text="The round's next decision.")
    to_act = _seat(required=False, allow_null=True)
    legal = s.ListField(
        child=_card(), required=False, help_text="For the mover alone: what may be played."
    )


class Token(Answer):
    id = s.IntegerField()
    name = s.CharField()
    prefix = s.CharField(help_text="How its text begins.")
    scopes = s.ListField(child=s.ChoiceField(Scope.values))
    created_at = s.DateTimeField()
    expires_at = s.DateTimeField()
    last_used_at = s.DateTimeField(allow_null=True, help_text="To the minute.")


class NewToken(Token):
    token = s.CharField(help_text="Shown this once. Send it as `Authorization: Bearer cbk_...`.")


class Tokens(Answer):
    tokens = Token(many=True)


class Bot(Answer):
    player = s.CharField()
    created_at = s.DateTimeField()


class Bots(Answer):
    bots = Bot(many=True)


class NewBot(Bot):
    token = NewToken()


class TableSeat(Answer):
    seat = _seat()
    player = s.CharField(allow_null=True)
    kind = s.ChoiceField(SEAT_KINDS)
    level = s.CharField(allow_null=True, help_text="Of a built-in bot.")
    invited = s.CharField(
        allow_null=True, help_text="For whom an open seat, or one that is offered, is kept."
    )
    total = s.IntegerField(help_text="In units: shown score times `score_scale`.")
    late = s.BooleanField()
    stand_in_since = s.DateTimeField(
        allow_null=True, help_text="Since when a bot has kept a person's seat, to the minute."
    )
    offered = s.BooleanField(help_text="Whether the table offers it to a substitute.")


class TrickCard(Answer):
    seat = _seat()
    card = _card()


class LastTrick(Answer):
    leader = _seat()
    cards = _four(_card(), help_text="In the order played.")
    winner = _seat()


class Round(Answer):
    round = s.IntegerField()
    attempt = s.IntegerField(help_text="How often this round was dealt again.")
    state = s.ChoiceField(ROUND_STATES)
    dealer = _seat()
    to_act = _seat(allow_null=True)
    action = s.ChoiceField(["bid", "play"], allow_null=True)
    turn = s.IntegerField(
        allow_null=True, help_text="The number of the next decision in this round."
    )
    deadline = s.DateTimeField(
        allow_null=True,
        help_text="By when whoever is to act must answer; null while no person is, and while bids are sealed.",
    )
    bids = _four(s.IntegerField(allow_null=True), help_text="null: not made, or not yet shown.")
    has_bid = _four(s.BooleanField())
    won = _four(s.IntegerField())
    scores = _four(s.IntegerField(), allow_null=True)
    leader = _seat(allow_null=True)
    trick = TrickCard(many=True)
    last_trick = LastTrick(allow_null=True)
    tricks_played = s.IntegerField()
    claimed_by = _seat(
        allow_null=True, help_text="The seat that claimed the tricks that were not played."
    )
    autopilot = s.ListField(
        child=_seat(), help_text="The seats whose person gave the rest of this round to a bot."
    )
    commitments = _four(_hash())


class Refusal(Answer):
    code = s.ChoiceField([code.value for code in Code])
    rule = s.CharField()
    detail = s.CharField()


class OwnRound(Answer):
    round = s.IntegerField()
    turn = s.IntegerField(help_text="The number of your next decision in this round.")
    deadline = s.DateTimeField(allow_null=True, help_text="By when you must answer.")
    hand = s.ListField(child=_card())
    salt = _hash(help_text="Checks your hand against its commitment.")
    to_act = s.BooleanField()
    legal = s.ListField(child=_card())
    why_not = s.DictField(child=Refusal(), help_text="By card: why it may not be played now.")
    plan = StandingPlan(allow_null=True, help_text="Your standing plan: nobody else knows of it.")
    plan_etag = s.CharField(allow_null=True, help_text="For If-Match.")
    plan_from = s.IntegerField(
        allow_null=True, help_text="The first decision that the plan may answer."
    )
    plan_halted = s.ChoiceField(
        [reason.value for reason in (*StopReason, *AskReason)],
        allow_null=True,
        help_text="Why the plan leaves this decision to you.",
    )


class You(Answer):
    seat = _seat()
    rounds = OwnRound(many=True)


class Result(Answer):
    reason = s.ChoiceField(END_REASONS)
    winners = s.ListField(child=_seat())
    totals = _four(s.IntegerField())
    ranks = _four(s.IntegerField())


class Length(Answer):
    """How long the match takes; of a table that waits, if it begins today (UTC)."""

    typical_seconds = s.IntegerField(
        allow_null=True,
        help_text="As a rule, where nobody leaves plans: a guess. null for a match that nothing ends for sure.",
    )
    typical_with_plans_seconds = s.IntegerField(
        allow_null=True, help_text="The same where everybody leaves plans."
    )
    latest_end = s.DateTimeField(
        allow_null=True,
        help_text="By then it is over, whatever its players do. Time that the site is down comes on top.",
    )


class Game(Answer):
    """A game as the caller sees it. `you` is there for those who hold a seat."""

    id = s.CharField()
    status = s.ChoiceField(GameRow.Status.values)
    seq = s.IntegerField(help_text="The number of the last event.")
    hash = _hash(help_text="The hash of the last event.")
    anchor = _hash()
    rules = Rules()
    rules_sha256 = _hash()
    clock = Clock()
    rated = s.BooleanField()
    auto_forced = s.BooleanField(
        help_text="Whether a card that is the only legal one plays itself."
    )
    pauses_weekends = s.BooleanField(help_text="Whether clocks stand still at weekends.")
    allows_holidays = s.BooleanField(help_text="Whether holidays of players stop their clocks.")
    bots_may_sit = s.BooleanField(help_text="Whether bot accounts may sit here.")
    length = Length(allow_null=True, help_text="null once it is over.")
    visibility = s.ChoiceField(GameRow.Visibility.values)
    created_by = s.CharField(allow_null=True)
    seats = TableSeat(many=True)
    rounds = Round(many=True)
    totals = _four(s.IntegerField())
    adjusted = _four(s.IntegerField(help_text="What rulings added to the totals, in units."))
    score_scale = s.ChoiceField([10, 1])
    result = Result(allow_null=True)
    you = You(required=False)


class Accepted(Answer):
    """An accepted move with its receipt, and the game after it."""

    seq = s.IntegerField()
    hash = _hash()
    signature = s.CharField(help_text="Ed25519 over game, seq and hash: base64url.")
    game = Game()


class RulesName(Answer):
    name = s.ChoiceField(NAMES)


class GameSummary(Answer):
    id = s.CharField()
    status = s.ChoiceField(GameRow.Status.values)
    seq = s.IntegerField()
    rules = RulesName()
    clock = Clock()
    rated = s.BooleanField()
    bots_may_sit = s.BooleanField(help_text="Whether bot accounts may sit here.")
    length = Length(allow_null=True, help_text="null once it is over.")
    visibility = s.ChoiceField(GameRow.Visibility.values)
    created_at = s.DateTimeField()
    seats = TableSeat(many=True)
    result = Result(allow_null=True)


class GamePage(Answer):
    games = GameSummary(many=True)
    next = s.CharField(allow_null=True, help_text="The `cursor` of the next page.")


class Reservation(Answer):
    game = s.CharField()
    anchor = _hash()
    reservation = s.CharField(
        help_text="Send it back with POST /games and your contribution, within a day."
    )


class Me(Answer):
    player = s.CharField()
    kind = s.ChoiceField(PLAYER_KINDS)
    owner = s.CharField(allow_null=True, help_text="Who answers for a bot account.")
    language = s.CharField(help_text="Empty: the request's.")
    time_zone = s.CharField()
    scopes = s.ListField(child=s.CharField(), help_text="What these credentials may do.")


class Turn(Answer):
    game = s.CharField()
    round = s.IntegerField()
    turn = s.IntegerField()
    action = s.ChoiceField(["bid", "play"])
    deadline = s.DateTimeField(allow_null=True)


class Turns(Answer):
    turns = Turn(many=True)


class Event(Answer):
    """One line of the public log (`callbreak-event/1`) with its hash."""

    v = s.IntegerField()
    game = s.CharField()
    seq = s.IntegerField()
    kind = s.ChoiceField(EventRow.Kind.values)
    round = s.IntegerField(allow_null=True)
    attempt = s.IntegerField(allow_null=True)
    turn = s.IntegerField(allow_null=True)
    seat = _seat(allow_null=True)
    bid = s.IntegerField(allow_null=True)
    card = _card(allow_null=True)
    by = s.ChoiceField(EventRow.By.values)
    minute = s.CharField(help_text="UTC, cut to the minute: `2026-11-29T19:29Z`.")
    data = AnyObject()  # type: ignore[assignment] # every serializer has a property of that name
    hash = _hash()


class Feed(Answer):
    events = Event(many=True)
    seq = s.IntegerField(help_text="The number of the game's last event.")


class ExportSeat(Answer):
    seat = _seat()
    player = s.CharField(allow_null=True)
    kind = s.ChoiceField(SEAT_KINDS)
    contribution = s.CharField(help_text="base64url without padding.")


class Head(Answer):
    seq = s.IntegerField()
    hash = _hash()


class Export(Answer):
    """`callbreak-game/1`: everything public about a game, the input of any verifier."""

    format = s.ChoiceField(["callbreak-game/1"])
    game = s.CharField()
    status = s.ChoiceField(GameRow.Status.values)
    anchor = _hash()
    rules = Rules()
    rules_sha256 = _hash()
    seats = ExportSeat(many=True)
    events = Event(many=True)
    head = Head()
    result = Result(allow_null=True)


class Checkpoint(Answer):
    number = s.IntegerField()
    day = s.DateField()
    size = s.IntegerField(help_text="How many games are below the root.")
    root = _hash()  # type: ignore[assignment] # as `data` above
    previous = _hash()
    hash = _hash()
    signature = s.CharField(help_text="Ed25519, base64url without padding.")


class Checkpoints(Answer):
    public_key = s.CharField(help_text="Ed25519, base64url without padding of its 32 bytes.")
    checkpoints = Checkpoint(many=True)


class Leaf(Answer):
    game = s.CharField()
    seq = s.IntegerField()
    hash = _hash()


class Proof(Answer):
    """That a game is below a root, as in RFC 6962."""

    checkpoint = Checkpoint()
    leaf = Leaf()
    index = s.IntegerField()
    path = s.ListField(child=s.CharField(), help_text="From the leaf's sibling up, in hex.")


class Inclusion(Answer):
    proof = Proof(allow_null=True, help_text="null while the game is younger than the newest root.")


COST: Final = "Hundredths of a unit that the expert's answer brings more on average: own score less half of the others' mean."
ERROR: Final = "Half the width of the cost's 95 % interval. A cost below it says nothing."
COACH_STATUS: Final = ["not_asked", "working", "done"]


class CoachedBid(Answer):
    seq = s.IntegerField(help_text="The event of this decision.")
    turn = s.IntegerField()
    bid = s.IntegerField()
    best = s.IntegerField(help_text="What the expert would have bid.")
    cost = s.IntegerField(help_text="Hundredths of a unit that the expert's bid scores more.")
    error = s.IntegerField(help_text=ERROR)
    made = s.IntegerField(help_text="The chance that the bid is made, in thousandths.")
    tricks = s.ListField(
        child=s.IntegerField(),
        help_text="The chance of exactly 0, 1, ... 13 tricks, in thousandths.",
    )


class CoachedCard(Answer):
    seq = s.IntegerField(help_text="The event of this decision.")
    turn = s.IntegerField()
    card = _card()
    best = _card()
    choices = s.IntegerField(help_text="How many cards made a difference.")
    cost = s.IntegerField(help_text=COST)
    error = s.IntegerField(help_text=ERROR)


class RoundCoaching(Answer):
    """What the coach says about your decisions in a round that is over. While it works, as far as it is."""

    round = s.IntegerField()
    status = s.ChoiceField(COACH_STATUS)
    done = s.IntegerField(help_text="How many decisions are judged.")
    total = s.IntegerField(allow_null=True, help_text="How many there are to judge.")
    bid = CoachedBid(allow_null=True)
    cards = CoachedCard(many=True)


class CoachedRound(Answer):
    round = s.IntegerField()
    status = s.ChoiceField(COACH_STATUS)
    done = s.IntegerField()
    total = s.IntegerField(allow_null=True)


class CostlyDecision(Answer):
    round = s.IntegerField()
    seq = s.IntegerField()
    turn = s.IntegerField()
    bid = s.IntegerField(required=False)
    card = _card(required=False)
    best = s.JSONField(help_text="A bid or a card, as the decision was.")
    cost = s.IntegerField(help_text=COST)
    error = s.IntegerField(help_text=ERROR)


class BidRecord(Answer):
    count = s.IntegerField(help_text="Bids that were judged.")
    made = s.IntegerField()
    expected = s.IntegerField(help_text="The sum of their chances, in thousandths.")


class MatchCoaching(Answer):
    """The match as the coach has seen it so far: of the rounds that were asked for."""

    rounds = CoachedRound(many=True)
    costliest = CostlyDecision(many=True, help_text="Three at the most, the costliest first.")
    bids = BidRecord()


class BidScore(Answer):
    bid = s.IntegerField()
    score = s.IntegerField(help_text="Its average score in hundredths of a unit.")


class BidHelp(Answer):
    round = s.IntegerField()
    best = s.IntegerField(help_text="What the expert would bid.")
    tricks = s.ListField(
        child=s.IntegerField(),
        help_text="The chance of exactly 0, 1, ... 13 tricks, in thousandths.",
    )
    bids = BidScore(many=True)


class Preset(Answer):
    name = s.ChoiceField(NAMES)
    source = s.CharField()  # type: ignore[assignment] # as `data` above
    rules = Rules()
    options = s.DictField(
        child=s.ListField(child=s.JSONField()),
        help_text="By field: the values that a table may choose.",
    )


class Reading(Answer):
    id = s.CharField()
    presets = s.ListField(child=s.CharField())
    sentence = s.CharField()


class RuleCode(Answer):
    code = s.ChoiceField([code.value for code in Code])
    citations = s.ListField(child=s.CharField())
    sentence = s.CharField(help_text="With %(fields)s of the problem document.")


class Rulebook(Answer):
    presets = Preset(many=True)
    custom = AnyObject(help_text="JSON Schema (2020-12) of `rules` in POST /games.")
    readings = Reading(many=True)
    codes = RuleCode(many=True)
    plans = AnyObject(help_text="JSON Schema (2020-12) of standing plans.")


class Checks(Answer):
    """What the automatic check of the whole game found. Where the log does not replay, nothing is said of scores."""

    chain = s.BooleanField()
    deal = s.BooleanField()
    legality = s.BooleanField()
    scores = s.BooleanField(required=False)


class Report(Answer):
    seat = _seat()
    seq = s.IntegerField()
    category = s.ChoiceField(ReportRow.Category.values)
    text = s.CharField()
    created_at = s.DateTimeField()
    checks = Checks()


class Decision(Answer):
    ruling = s.ChoiceField(DecisionRow.Ruling.values)
    sentence = s.CharField(help_text="What it does, for people.")
    reason = s.CharField()
    cites = s.ListField(child=s.CharField(), help_text="Citation ids of rules, numbers of events.")
    is_appeal = s.BooleanField()
    takes_effect_at = s.DateTimeField(
        allow_null=True, help_text="Only proposed so far: it waits in public until then."
    )
    made_at = s.DateTimeField(allow_null=True)
    seq = s.IntegerField(allow_null=True, help_text="The last event of the log once it was made.")
    head = s.RegexField(HEX, allow_null=True, help_text="That event's hash.")


class Dispute(Answer):
    case = s.IntegerField()
    game = s.CharField()
    round = s.IntegerField(allow_null=True, help_text="Null: about no round.")
    state = s.ChoiceField(CaseRow.State.values)
    opened_at = s.DateTimeField()
    report = Report(allow_null=True, help_text="Yours, if you reported.")
    decisions = Decision(many=True)
    appeal_until = s.DateTimeField(
        allow_null=True, help_text="An appeal, on the case's page, can be sent until then."
    )


class Disputes(Answer):
    disputes = Dispute(many=True)


class Webhook(Answer):
    id = s.IntegerField()
    url = s.CharField()
    events = s.ListField(child=s.ChoiceField(WebhookRow.Event.values))
    created_at = s.DateTimeField()
    failing_since = s.DateTimeField(
        allow_null=True, help_text="Since when nothing has arrived. After 24 hours it is disabled."
    )
    disabled = s.ChoiceField(
        WebhookRow.Disabled.values, allow_null=True, help_text="Why it is told nothing any more."
    )


class Webhooks(Answer):
    webhooks = Webhook(many=True)


class NewWebhook(Webhook):
    secret = s.CharField(help_text="`whsec_...`: checks the signatures. Shown this once.")


class WebhookSecret(Answer):
    secret = s.CharField(
        help_text="For the next 24 hours every message carries two signatures, one of each secret."
    )


class Delivery(Answer):
    """A message and what became of it. `body` is what was sent, or will be: ids, and no card."""

    id = s.CharField(help_text="The `webhook-id` header: the same at every attempt.")
    type = s.CharField()
    body = s.CharField()
    created_at = s.DateTimeField()
    status = s.ChoiceField(DeliveryRow.Status.values)
    attempts = s.IntegerField()
    next_attempt_at = s.DateTimeField(allow_null=True)
    last_attempt_at = s.DateTimeField(allow_null=True)
    answer = s.IntegerField(allow_null=True, help_text="The HTTP status of the last attempt.")
    error = s.CharField(
        allow_null=True,
        help_text="What went wrong before there was a status: `timeout`, `tls`, ...",
    )


class Deliveries(Answer):
    deliveries = Delivery(many=True)
