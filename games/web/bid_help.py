"""The bid helper as the table page shows it: on request, at unrated tables, before one's own bid."""

from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.bots.coach import Foresight
from games.engine.errors import RuleViolation
from games.refusals import Refusal
from games.services import coaching
from games.web.table_page import TablePage
from games.wording import fine_score_text

# How many bids to each side of the best one are told of.
BESIDE: Final = 1


@dataclass(frozen=True, slots=True)
class HelpLine:
    """A bid and what it scores on average; `value` is the same for a meter."""

    bid: int
    score: str
    value: int


@dataclass(frozen=True, slots=True)
class BidHelp:
    """`likely` says how many tricks to expect; the meters of `lines` reach from `least` to `most`."""

    best: int
    likely: str
    lines: tuple[HelpLine, ...]
    least: int
    most: int


def bid_help(user: User, page: TablePage, *, scale: int) -> BidHelp | None:
    """What the helper says about the round that the page shows, in scores of this scale. None when the table has moved on."""
    assert page.round is not None
    try:
        seen = coaching.help_to_bid(user, page.game, round=page.round, now=timezone.now())
    except (Refusal, RuleViolation):
        return None
    near = [bid for bid in seen.scores if abs(bid - seen.best) <= BESIDE]
    values = [seen.scores[bid] for bid in near]
    return BidHelp(
        best=seen.best,
        likely=_likely(seen),
        lines=tuple(
            HelpLine(bid, fine_score_text(value, scale), value)
            for bid, value in zip(near, values, strict=True)
        ),
        least=min(0, *values),
        most=max(1, *values),
    )


def _likely(seen: Foresight) -> str:
    """How many tricks come most often, and how often the bid is made."""
    most = max(range(14), key=seen.tricks.__getitem__)
    made = (sum(seen.tricks[seen.best :]) + 5) // 10
    often = ngettext(
        "With these cards you take %(count)d trick most often.",
        "With these cards you take %(count)d tricks most often.",
        most,
    ) % {"count": most}
    sure = _("A bid of %(bid)d is made in %(made)d of 100 imagined deals.") % {
        "bid": seen.best,
        "made": made,
    }
    return f"{often} {sure}"
