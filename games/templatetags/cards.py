"""Cards as markup: faces, chips, and signs inside a sentence. The shapes are symbols of the page's own deck."""

import re
from functools import cache

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.wording import SUIT_NAMES, SUIT_SIGNS, card_name, card_sign

register = template.Library()

_SUIT_OF_SIGN = {sign: suit for suit, sign in SUIT_SIGNS.items()}
_SIGNS = re.compile(r"(?P<rank>10|[2-9JQKA])?(?P<sign>[♠♥♦♣])")


@register.simple_tag
def card(text: str, style: str = "") -> SafeString:
    """A card's face, large; `style` is one more class. The words beside it are the caller's."""
    return format_html('<span class="card suit-{} {}">{}</span>', text[1], style, _face(text))


@register.simple_tag
def chip(text: str, style: str = "") -> SafeString:
    """A small card that says its own name."""
    return _chip(text, style, get_language())


@cache
def _chip(text: str, style: str, _language: str | None) -> SafeString:
    """Kept for each language: a table late in its round shows more than fifty."""
    return format_html(
        '<span class="chip suit-{} {}">{}<span class="sr">{}</span></span>',
        text[1],
        style,
        _chip_face(text),
        card_name(text),
    )


@register.simple_tag
def icon(name: str) -> SafeString:
    return format_html('<svg class="icon" aria-hidden="true"><use href="#i-{}"/></svg>', name)


register.filter("card_name", card_name)
register.filter("sign", card_sign)


@register.filter
def signs(sentence: str) -> SafeString:
    """The sentence with every `10♥` and `♥` drawn for the eye and named for the ear."""
    # Safe: the text is escaped first, and what replaces a sign is made of our own constants and card names.
    return mark_safe(_SIGNS.sub(_dressed, conditional_escape(sentence)))


@register.filter
def spoken(sentence: str) -> str:
    """The sentence as text for the ear: `10♥` as `10 of hearts`, `♥` as `hearts`."""
    return _SIGNS.sub(_named, sentence)


def _dressed(found: re.Match[str]) -> str:
    suit, rank = _SUIT_OF_SIGN[found["sign"]], found["rank"]
    return format_html(
        '<span class="nowrap" aria-hidden="true">{}<svg class="pip suit-{}"><use href="#s-{}"/></svg></span><span class="sr">{}</span>',
        rank or "",
        suit,
        suit,
        _named(found),
    )


def _named(found: re.Match[str]) -> str:
    suit, rank = _SUIT_OF_SIGN[found["sign"]], found["rank"]
    return str(SUIT_NAMES[suit]) if rank is None else card_name(rank.replace("10", "T") + suit)


@cache
def _face(text: str) -> SafeString:
    rank, suit = text[0], text[1]
    if rank in "JQK":
        middle = format_html(
            '<use class="motif" href="#m-{}" x="18" y="37" width="38" height="38"/>', rank
        )
    else:
        x, y, size = (17, 36, 40) if rank == "A" else (26, 46, 30)
        middle = format_html(
            '<use class="fill" href="#s-{}" x="{}" y="{}" width="{}" height="{}"/>',
            suit,
            x,
            y,
            size,
            size,
        )
    return format_html(
        '<svg viewBox="0 0 60 84" aria-hidden="true"><use class="ink" href="#r-{}" x="5" y="6" width="19" height="24"/>'
        '<use class="fill" href="#s-{}" x="34" y="7" width="20" height="20"/>{}</svg>',
        rank,
        suit,
        middle,
    )


@cache
def _chip_face(text: str) -> SafeString:
    rank, suit = text[0], text[1]
    return format_html(
        '<svg class="ink" viewBox="0 0 14 18" aria-hidden="true"><use href="#r-{}"/></svg>'
        '<svg class="fill" viewBox="0 0 24 24" aria-hidden="true"><use href="#s-{}"/></svg>',
        rank,
        suit,
    )
