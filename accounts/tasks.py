"""What the worker does for accounts: fetch, call, nothing else."""

from celery import shared_task
from django.utils import timezone

from accounts.mail import send_due, send_queued
from accounts.oauth.granted import forget_expired
from accounts.retries import forget_old


@shared_task
def send_mail(pk: int) -> None:
    send_queued(pk, now=timezone.now())


@shared_task
def send_due_mail() -> None:
    send_due(now=timezone.now())


@shared_task
def forget_answers() -> None:
    forget_old(now=timezone.now())


@shared_task
def forget_app_tokens() -> None:
    forget_expired()
