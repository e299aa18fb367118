"""What is refused besides moves against the rules: the wrong person, a stale view, a table that is not open.

`code` is public and stable, `sentence` is for people. Which HTTP status it becomes is decided in `api/errors.py` alone.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Refusal(Exception):
    """Something a caller may not do now. `data` holds what helps to go on, as JSON values."""

    code = "refused"
    sentence: Promise | str = _("This cannot be done.")

    def __init__(self, **data: object) -> None:
        super().__init__(self.code)
        self.data = data


class GameNotFound(Refusal):
    """No such game, or none that the caller may see: the two must look alike."""

    code = "not_found"
    sentence = _("There is no such game, or it is not for you to see.")


class NotSeated(Refusal):
    code = "not_seated"
    sentence = _("You have no seat at this table.")


class StaleTurn(Refusal):
    """The table has moved on from the decision that was answered. `data`: the round's `turn` and `to_act` now."""

    code = "stale_turn"
    sentence = _("The table has moved on: this decision has already been made.")


class GameFrozen(Refusal):
    code = "game_frozen"
    sentence = _(
        "This game is stopped while something about it is looked into. No time runs; it is given back when the game goes on."
    )


class TimeRanOut(Refusal):
    """The answer came after its deadline. `data`: the round's `turn` and `to_act` now."""

    code = "time_ran_out"
    sentence = _("Your time for this decision is over: a bot plays it for you.")


class NothingToTakeBack(Refusal):
    code = "nothing_to_take_back"
    sentence = _("No bot is keeping your seat.")


class NotKeptForLong(Refusal):
    """A seat would be offered that no bot keeps, or not for long enough. `data`: from when on, if one keeps it."""

    code = "not_kept_for_long"
    sentence = _("A seat can be offered to a substitute once a bot has kept it for seven days.")


class NotOffered(Refusal):
    code = "not_offered"
    sentence = _("This seat is not offered to you.")


class HadASeat(Refusal):
    code = "had_a_seat"
    sentence = _("Whoever had a seat in this match gets no other: nobody sees two of its hands.")


class SawHands(Refusal):
    code = "saw_hands"
    sentence = _("Staff who may have seen the hands of this match take over no seat in it.")


class AccountNeeded(Refusal):
    code = "account_needed"
    sentence = _("Only somebody with an account of their own can take over a seat.")


class NameNeeded(Refusal):
    code = "name_needed"
    sentence = _("Nobody else sees this table: say by name to whom the seat is offered.")


class NoPlan(Refusal):
    code = "no_plan"
    sentence = _("You have no plan for this round.")


class PlanUnseen(Refusal):
    """A plan would be replaced or thrown away by somebody who does not say that they have seen it."""

    code = "precondition_required"
    sentence = _("You have a plan for this round: say which one you mean, with its ETag.")


class PlanChanged(Refusal):
    code = "plan_changed"
    sentence = _("Your plan is not the one you saw: it was changed or has ended meanwhile.")


class NothingToGiveUp(Refusal):
    code = "nothing_to_give_up"
    sentence = _("This round is not being played.")


class NotOpen(Refusal):
    code = "not_open"
    sentence = _("This game has already started or is over.")


class NotStarted(Refusal):
    code = "not_started"
    sentence = _("This game has not started yet.")


class NotOver(Refusal):
    code = "not_over"
    sentence = _("This match is not over yet.")


class RoundNotOver(Refusal):
    code = "round_not_over"
    sentence = _("The coach looks at a round once it has been played to its end.")


class NoHelpHere(Refusal):
    code = "no_help"
    sentence = _("At a rated table nobody helps you to bid.")


class SeatTaken(Refusal):
    code = "seat_taken"
    sentence = _("This seat is taken.")


class TableFull(Refusal):
    code = "table_full"
    sentence = _("There is no free seat for you at this table.")


class AlreadySeated(Refusal):
    code = "already_seated"
    sentence = _("You already have a seat at this table.")


class BotsMayNotSit(Refusal):
    """A bot account would sit at a table that is for people."""

    code = "bots_may_not_sit"
    sentence = _("Bot accounts may not sit at this table.")


class SamePerson(Refusal):
    """Two seats would be one person's: whoever owns a bot account, or two of one owner's."""

    code = "same_person"
    sentence = _("A bot account, its owner and their other bots never share a table.")


class NotCreator(Refusal):
    code = "not_creator"
    sentence = _("Only the player who made this table can do that.")


class UnknownPlayer(Refusal):
    code = "unknown_player"
    sentence = _("There is no player of that name.")


class TooManyGames(Refusal):
    code = "too_many_games"
    sentence = _("You have as many running games as one player may have. Finish one first.")


class ReservationRefused(Refusal):
    code = "bad_reservation"
    sentence = _("This reservation is not yours, has expired, or was used. Ask for a new one.")


class InvitationRefused(Refusal):
    """Guessed, used, taken back, too old, or the match has begun: which of them is nobody's business."""

    code = "bad_invitation"
    sentence = _("This invitation does not hold any more. Ask whoever sent it for a new one.")


class TooManyInvitations(Refusal):
    code = "too_many_invitations"
    sentence = _("This table has as many open invitations as it may have. Take one back first.")


class AnchorMismatch(Refusal):
    code = "anchor_mismatch"
    sentence = _(
        "The anchor you send is not this game's. Load the game again before you contribute."
    )


class NoSuchEvent(Refusal):
    """A report about an event that is not there. `data`: the number of the last one."""

    code = "no_such_event"
    sentence = _("The log of this game has no such event.")


class AlreadyReported(Refusal):
    code = "already_reported"
    sentence = _("Your seat has reported this round already. Staff are going to look at it.")


class TooManyReports(Refusal):
    code = "too_many_reports"
    sentence = _("You have sent 10 reports today. Send the next one tomorrow.")


class CannotAppeal(Refusal):
    code = "cannot_appeal"
    sentence = _("This decision cannot be appealed any more.")


class CannotRule(Exception):
    """A ruling that the game as it is does not allow. `sentence` tells its reviewer why: the staff's pages are in English.

    No `Refusal`: players and programs never see it.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class MayNotReview(CannotRule):
    """Somebody who may not see this case: no staff, no permission, a player of it or a recent opponent."""
