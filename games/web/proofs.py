"""The pages on which anybody checks a game: in the browser, with nothing but its export."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.web.foot import Foot
from games.web.records import opened

# In the order in which the verifiers tell of them: name, title, what it is about.
CHECKS: Final = (
    ("chain", _("The chain"), _("Each line holds the hash of the one before it.")),
    ("rules", _("The rules"), _("They are those that the table was made with.")),
    ("anchor", _("The anchor"), _("The revealed seeds lead back to what was fixed first.")),
    ("seats", _("The seats"), _("Who sat down, what they gave, and who gave last.")),
    ("deals", _("The deals"), _("The seeds deal the hands that were committed to.")),
    ("redeals", _("Deals thrown in"), _("Only those that the rules throw in, and all of them.")),
    ("bids", _("The bids"), _("All in turn, in range, and as they were sealed.")),
    ("plays", _("The cards"), _("All held, in turn and legal.")),
    ("result", _("The result"), _("Tricks, scores and ranks follow from the cards.")),
)


@require_safe
def verify(request: HttpRequest, game_id: str) -> HttpResponse:
    """A line for each check, for a script to fill in."""
    table, _viewer = opened(request, game_id)
    return render(request, "games/verify.html", {"foot": Foot.of(table), "checks": CHECKS})
