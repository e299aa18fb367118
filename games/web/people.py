"""A player's public page: who they are here, and how their public matches came out."""

from collections import Counter

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import queries
from games.web.rows import result

LATELY = 20


@require_safe
def person(request: HttpRequest, player: str) -> HttpResponse:
    """Name, since when, and the places in finished public matches. What is not public is not counted either."""
    # No name holds a NUL, and PostgreSQL does not even look for it.
    found = None if "\0" in player else queries.person_named(player)
    if found is None:
        raise Http404
    results = [
        each for game in queries.public_matches(found) if (each := result(game, found)) is not None
    ]
    places = Counter(each.place for each in results)
    context = {
        "person": found,
        "results": results[:LATELY],
        "matches": len(results),
        "places": [places[place] for place in (1, 2, 3, 4)],
    }
    return render(request, "games/person.html", context)
