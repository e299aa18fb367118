"""What a mail says: a message made of a notice, in its receiver's language and their own time.

Everything in it is public of the game, or names the decision that waits for the receiver. No card is ever in a mail but one that
staff name in the reason of a ruling, and nothing of a hand, a plan or a sealed bid goes into the choice of its words. The templates are `mail/KIND.*`; they get finished values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parseaddr
from typing import Any, Final, assert_never
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import Prefetch
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import queries
from games.engine.round import State
from games.models import TO_APPEAL, Game, Notice, Round, Seat
from games.notices import digests
from games.notices.freshness import OF_A_TURN, deadline_of
from games.notices.stopping import stop_link
from games.wording import decision_text, rules_name, score_text

Kind = Notice.Kind
_WITH_SEATS: Final = Prefetch(
    "seats", Seat.objects.select_related("user", "invited").order_by("number")
)


@dataclass(frozen=True, slots=True)
class Line:
    """One player's line in a list of results. `mark` is a round's score or a place in the match."""

    name: str
    mark: str
    total: str


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a notice is about. `where` is the round as people call it, `do` what is asked of the receiver."""

    kind: str
    url: str
    company: str
    rules: str
    creator: str = ""
    where: str = ""
    do: str = ""
    deadline: datetime | None = None
    lines: Sequence[Line] = ()
    reason: str = ""
    has_begun: bool = False
    # Of a ruling: what it does, why, and by when it can be appealed, or from when on it holds (`waits`).
    ruled: str = ""
    why: str = ""
    cites: str = ""
    until: datetime | None = None
    waits: bool = False
    seq: int = 0
    head: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """Everything that a mail's templates show. `others` are further games that wait for the receiver.

    `has_no_night`: their time runs while they sleep, too.
    """

    name: str
    language: str
    about: About | None = None
    parts: Sequence[About] = ()
    games: int = 0
    others: int = 0
    has_no_night: bool = False
    links: dict[str, str] = field(default_factory=dict)


def message_of(notice: Notice, *, now: datetime) -> EmailMultiAlternatives:
    """The mail of this notice, with a one-click way to stop its kind, and the same Message-ID whenever it is made."""
    user = notice.user
    language = user.language or settings.LANGUAGE_CODE
    with translation.override(language), timezone.override(ZoneInfo(user.time_zone)):
        letter = _letter(notice, language)
        context = {"letter": letter, "now": timezone.localtime(now)}
        name = f"mail/{notice.kind}"
        subject = " ".join(render_to_string(f"{name}.subject.txt", context).split())
        text = render_to_string(f"{name}.txt", context).strip() + "\n"
        html = render_to_string(f"{name}.html", context)
    message = EmailMultiAlternatives(subject, text, to=[user.email], headers=_headers(notice))
    message.attach_alternative(html, "text/html")
    return message


def _headers(notice: Notice) -> dict[str, str]:
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].partition("@")[2]
    return {
        # Should a worker die between sending and writing so, the second copy says that it is the same.
        "Message-ID": f"<notice-{notice.pk}@{domain}>",
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": f"<{stop_link(notice)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _letter(notice: Notice, language: str) -> Letter:
    links = {
        "stop": stop_link(notice),
        "settings": settings.SITE_URL + reverse("notices"),
        "next": settings.SITE_URL + reverse("next_game"),
    }
    name = notice.user.username
    if notice.kind == Kind.DIGEST:
        parts = [_about(part) for part in digests.fresh_parts(notice)]
        games = len({part.url for part in parts})
        return Letter(name=name, language=language, parts=parts, games=games, links=links)
    others = queries.games_awaiting(notice.user).exclude(pk=notice.game_id).count()
    return Letter(
        name=name,
        language=language,
        about=_about(notice),
        others=others,
        has_no_night=notice.user.night_start is None,
        links=links,
    )


def _about(notice: Notice) -> About:
    game = (
        Game.objects.select_related("created_by")
        .prefetch_related(_WITH_SEATS)
        .get(pk=notice.game_id)
    )
    return About(
        kind=str(notice.kind),
        url=_url(game, notice),
        company=_company(game, notice),
        rules=rules_name(game.rules["name"]),
        creator=game.created_by.username if game.created_by else _("Somebody"),
        where=_where(game, notice.round) if notice.round else "",
        has_begun=game.status != Game.Status.OPEN,
        seq=game.seq,
        head=game.head,
        **_facts(notice, game),
    )


def _facts(notice: Notice, game: Game) -> dict[str, Any]:
    """What `About` says of this kind alone."""
    match Kind(notice.kind):
        case Kind.YOUR_TURN | Kind.REMINDER:
            row = Round.objects.get(game=game, number=notice.round)
            do = _("Bid") if row.state == State.BIDDING else _("Play a card")
            return {"do": do, "deadline": deadline_of(notice)}
        case Kind.ROUND_OVER:
            return {"lines": _of_a_round(game, Round.objects.get(game=game, number=notice.round))}
        case Kind.MATCH_OVER:
            result = game.result or {}
            lines = [] if game.is_abandoned else _of_a_match(game, result)
            return {"lines": lines, "reason": result["reason"]}
        case Kind.RULING:
            return _of_a_ruling(game, notice)
        case Kind.TIME_RAN_OUT | Kind.SEAT_TAKEN_OVER | Kind.INVITATION | Kind.DIGEST:
            return {}
        case never:
            assert_never(never)


def _of_a_round(game: Game, row: Round) -> list[Line]:
    scale = game.rules["score_scale"]
    each = zip(queries.names_of(game), row.scores or [0] * 4, game.totals, strict=True)
    return [
        Line(name, score_text(score, scale), score_text(total, scale))
        for name, score, total in each
    ]


def _of_a_match(game: Game, result: Mapping[str, Any]) -> list[Line]:
    scale = game.rules["score_scale"]
    ranked = zip(result["ranks"], queries.names_of(game), result["totals"], strict=True)
    return [
        Line(name, str(rank), score_text(total, scale))
        for rank, name, total in sorted(ranked, key=lambda each: each[0])
    ]


def _of_a_ruling(game: Game, notice: Notice) -> dict[str, Any]:
    decision = notice.decision
    assert decision is not None  # of this kind
    waits = notice.turn == 0
    until = decision.takes_effect_at if waits else None
    if not waits and not decision.is_appeal and decision.made_at is not None:
        until = decision.made_at + TO_APPEAL
    return {
        "ruled": decision_text(
            decision, names=queries.names_of(game), scale=game.rules["score_scale"]
        ),
        "why": decision.reason,
        "cites": ", ".join(map(str, decision.cites)),
        "until": until,
        "waits": waits,
    }


def _company(game: Game, notice: Notice) -> str:
    """Who else sits there, for a sentence; a seat that is offered to a substitute counts as nobody's."""
    seats = queries.seats_of(game)
    others = [
        seat["player"]
        for seat in seats
        if seat["player"] not in (None, notice.user.username) and not seat["offered"]
    ]
    if not others:
        free = sum(seat["kind"] == "open" for seat in seats)
        return ngettext("%(free)d free seat", "%(free)d free seats", free) % {"free": free}
    return ", ".join(others)


def _where(game: Game, number: int) -> str:
    of = {"round": number, "rounds": game.rules["rounds"]}
    return _("round %(round)d of %(rounds)d") % of if of["rounds"] else _("round %(round)d") % of


def _url(game: Game, notice: Notice) -> str:
    if notice.decision is not None:
        return settings.SITE_URL + reverse("case", args=[notice.decision.case_id])
    url = settings.SITE_URL + reverse("table", args=[game.pk])
    return f"{url}?round={notice.round}" if notice.kind in OF_A_TURN else url
