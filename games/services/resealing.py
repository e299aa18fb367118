"""Sealing every game's seed with the newest key, so that an older one can be thrown away."""

from games import dealkeys, guards
from games.models import DealSecret


def reseal() -> int:
    """Seal anew what another key than the first of DEAL_KEYS sealed. Returns how many seeds that were.

    All of them or none: `cryptography.fernet.InvalidToken` when one is opened by no key. Only the owner of the tables can do it.
    """
    resealed = 0
    with guards.lifted(guards.SEEDS):
        for game_id, sealed in DealSecret.objects.values_list("pk", "sealed").iterator():
            if not dealkeys.is_sealed_newly(bytes(sealed)):
                anew = dealkeys.seal(dealkeys.unseal(bytes(sealed)))
                DealSecret.objects.filter(pk=game_id).update(sealed=anew)
                resealed += 1
    return resealed
