"""Calling addresses that somebody gave us, without letting them lead us anywhere. Used by webhooks and by messages to devices.

- `targets`: which addresses may be called at all.
- `posting`: one bounded HTTPS request to an address that was vetted, and to no other.
"""
