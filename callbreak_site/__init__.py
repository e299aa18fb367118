"""Wiring, no behaviour: settings, addresses, the worker."""

from callbreak_site.celery import app as celery_app

__all__ = ["celery_app"]
