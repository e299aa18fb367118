"""Telling other people's servers what happens to a user, without letting them lead us anywhere.

- `signing`: secrets and signatures, as Standard Webhooks has them.
- `keeping`: what an owner does: make, remove, new secret, switch on again, test, send once more.
- `deliveries`: the queue in the database: what is due is sent, retried ever more slowly, and given up. They leave by `accounts.outbound`.

What there is to tell comes from the games (`games.webhooks`): ids, and no card.
"""
