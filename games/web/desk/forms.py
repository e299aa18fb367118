"""What a reviewer fills in to propose a ruling. Which of it fits together is for `services.desk.verdicts` to say."""

import re
from typing import Any, Final

from django import forms

from games.engine.rules import MAX_ROUNDS
from games.models import Decision
from games.services.desk.verdicts import LONGEST_NOTE, REASON, Proposal

_SEATS: Final = [("", "none"), *((str(seat), f"seat {seat + 1}") for seat in range(4))]


class ProposalForm(forms.Form):
    ruling = forms.ChoiceField(label="What is decided", choices=Decision.Ruling.choices)
    reason = forms.CharField(
        label="Public reason",
        help_text="Everybody reads it: 20 to 1,000 characters. Name no card that is still hidden.",
        min_length=REASON.start,
        max_length=REASON.stop - 1,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    cites = forms.CharField(
        label="Rules and events",
        help_text="At least one, such as: arcadia/beat, 57",
        max_length=300,
    )
    note = forms.CharField(
        label="Note for the staff",
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    round = forms.IntegerField(label="Round", required=False, min_value=1, max_value=MAX_ROUNDS)
    seat = forms.TypedChoiceField(
        label="Seat", required=False, choices=_SEATS, coerce=int, empty_value=None
    )
    replay = forms.BooleanField(label="Void round: it is played again", required=False)
    minutes = forms.IntegerField(label="Time given back: minutes", required=False, min_value=1)
    to_player = forms.BooleanField(
        label="Seat replaced: back to its player, not to a bot", required=False
    )
    days = forms.IntegerField(label="Suspension: days", required=False, min_value=1)
    delta_1 = forms.IntegerField(label="Scores adjusted: units for seat 1", required=False)
    delta_2 = forms.IntegerField(label="Units for seat 2", required=False)
    delta_3 = forms.IntegerField(label="Units for seat 3", required=False)
    delta_4 = forms.IntegerField(label="Units for seat 4", required=False)
    goes_on = forms.BooleanField(label="Let a cancelled game go on, too", required=False)

    def clean_cites(self) -> list[str | int]:
        parts = re.split(r"[\s,]+", self.cleaned_data["cites"].strip())
        return [int(part) if part.isascii() and part.isdigit() else part for part in parts if part]

    def proposal(self) -> Proposal:
        """What was filled in. Only of a form that is valid."""
        filled: dict[str, Any] = self.cleaned_data
        return Proposal(
            ruling=filled["ruling"],
            reason=filled["reason"],
            cites=filled["cites"],
            note=filled["note"],
            round=filled["round"],
            seat=filled["seat"],
            replay=filled["replay"],
            deltas=[filled[f"delta_{place}"] or 0 for place in range(1, 5)],
            seconds=60 * (filled["minutes"] or 0),
            to_player=filled["to_player"],
            days=filled["days"] or 0,
            goes_on=filled["goes_on"],
        )
