"""Personal tokens: shown once, stored hashed, expiring, revocable."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import ApiToken, User
from accounts.tokens import issue_token, recognise_token, revoke_token


def test_a_token_is_recognised_and_its_text_stored_nowhere(asha: User) -> None:
    now = timezone.now()

    token, text = issue_token(asha, name="bot", scopes=["games:play", "games:read"], now=now)

    assert text.startswith("cbk_")
    assert len(text) == 47
    assert recognise_token(text, now=now) == token
    assert token.scopes == ["games:read", "games:play"]
    assert text not in str(ApiToken.objects.values().get())


def test_a_token_ends_when_it_is_revoked_or_old(asha: User) -> None:
    now = timezone.now()
    revoked, revoked_text = issue_token(asha, name="a", scopes=[], now=now)
    _old, old_text = issue_token(asha, name="b", scopes=[], now=now, life=timedelta(days=1))

    revoke_token(revoked, now=now)

    assert recognise_token(revoked_text, now=now) is None
    assert recognise_token(old_text, now=now + timedelta(hours=23)) is not None
    assert recognise_token(old_text, now=now + timedelta(days=1)) is None


def test_a_token_lives_a_year_unless_said_otherwise(asha: User) -> None:
    now = timezone.now()

    token, _text = issue_token(asha, name="a", scopes=[], now=now)

    assert token.expires_at == now + timedelta(days=365)


def test_the_token_of_somebody_who_may_not_log_in_opens_nothing(asha: User) -> None:
    now = timezone.now()
    _token, text = issue_token(asha, name="a", scopes=[], now=now)

    User.objects.filter(pk=asha.pk).update(is_active=False)

    assert recognise_token(text, now=now) is None


def test_unknown_scopes_are_refused(asha: User) -> None:
    with pytest.raises(ValidationError, match="cards:see"):
        issue_token(asha, name="a", scopes=["cards:see"], now=timezone.now())


@pytest.mark.parametrize("text", ["", "cbk_", "cbk_" + "a" * 43, "cbk_" + "क" * 43, "x" * 10_000])
def test_other_texts_open_nothing(db: None, text: str) -> None:
    assert recognise_token(text, now=timezone.now()) is None


def test_use_is_noted_once_a_minute_and_costs_one_query_else(
    asha: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    now = timezone.now()
    token, text = issue_token(asha, name="a", scopes=[], now=now)

    with django_assert_num_queries(2):
        recognise_token(text, now=now)
    with django_assert_num_queries(1):
        again = recognise_token(text, now=now + timedelta(seconds=59))
        assert again is not None
        assert again.user.username == "asha"
    token.refresh_from_db()
    assert token.last_used_at == now

    recognise_token(text, now=now + timedelta(seconds=60))

    token.refresh_from_db()
    assert token.last_used_at == now + timedelta(seconds=60)
