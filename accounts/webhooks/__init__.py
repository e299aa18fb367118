"""Telling other people's servers what happens to a user, without letting them lead us anywhere.

- `targets`: which addresses may be called at all.
- `posting`: one bounded HTTPS request to an address that was vetted, and to no other.
- `signing`: secrets and signatures, as Standard Webhooks has them.
- `keeping`: what an owner does: make, remove, new secret, switch on again, test, send once more.
- `deliveries`: the queue in the database: what is due is sent, retried ever more slowly, and given up.

What there is to tell comes from the games (`games.webhooks`): ids, and no card.
"""
