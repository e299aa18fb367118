"""The pages on which anybody checks what we say: a game in the browser, the daily roots, a game below a root."""

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games import receipts, transparency
from games.web.foot import Foot
from games.web.records import opened

PER_PAGE: Final = 31
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


@require_safe
def transparency_page(request: HttpRequest) -> HttpResponse:
    """The daily roots, newest first, and the key that signs them. Of games it says nothing."""
    page = Paginator(transparency.published(), PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "public_key": receipts.public_key()}
    return render(request, "games/transparency.html", context)


@require_safe
def inclusion(request: HttpRequest, game_id: str) -> HttpResponse:
    """The proof that this game is below the newest root, to take along."""
    table, viewer = opened(request, game_id)
    proof = transparency.proof_of(game_id, viewer)
    return render(request, "games/inclusion.html", {"foot": Foot.of(table), "proof": proof})
