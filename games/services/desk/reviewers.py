"""Who may review a case: staff with the permission, who neither sit in the game nor lately played against anybody in it."""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from accounts.models import User
from games.models import CaseStep, Game, Seat, SeatHolder
from games.refusals import MayNotReview

PERMISSION: Final = "games.review_dispute"
# Whoever played with somebody so lately, or still does, is no judge of them.
RECENT: Final = timedelta(days=30)


def is_reviewer(user: object) -> bool:
    """Whether somebody may see the desk, though perhaps not every case."""
    return isinstance(user, User) and user.is_active and user.is_staff and user.has_perm(PERMISSION)


def check(user: User, game: Game, *, now: datetime) -> None:
    """`MayNotReview` unless this user may review cases of this game."""
    if not is_reviewer(user):
        raise MayNotReview("Reviewing needs the permission to review reports.")
    if is_involved(user, game, now=now):
        raise MayNotReview("You sit in this game, or played lately against somebody who does.")


def is_involved(user: User, game: Game, *, now: datetime) -> bool:
    """Whether this user sits or sat in the game, made it, is expected there, or lately played against one of its people. Whoever
    plays with a bot account of theirs plays themselves.
    """
    seats = Seat.objects.filter(game=game)
    holders = SeatHolder.objects.filter(game=game)
    if game.created_by_id == user.pk or seats.filter(Q(user=user) | Q(invited=user)).exists():
        return True
    if holders.filter(person=user).exists():
        return True
    lately = Q(game__finished_at__isnull=True) | Q(game__finished_at__gt=now - RECENT)
    mine = SeatHolder.objects.filter(lately, person=user).values("game")
    theirs = holders.values("person")
    return SeatHolder.objects.filter(game__in=mine, person__in=theirs).exists()


def may_have_seen_hands(user: User, game: Game) -> bool:
    """Whether hands of this game were opened in a case, and this user works at the desk or did something in that case."""
    opened = CaseStep.objects.filter(case__game=game, kind=CaseStep.Kind.HANDS_OPENED)
    if not opened.exists():
        return False
    return is_reviewer(user) or CaseStep.objects.filter(case__game=game, by=user).exists()


def others_for(game: Game, user: User | None, *, now: datetime) -> list[User]:
    """Everybody else who could sign or decide in a case of this game."""
    staff = User.objects.with_perm(PERMISSION).filter(is_staff=True)
    others = staff if user is None else staff.exclude(pk=user.pk)
    return [other for other in others if not is_involved(other, game, now=now)]
