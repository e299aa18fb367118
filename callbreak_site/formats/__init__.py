"""How dates and times are written, alike in every language: the day first, 24 hours, western digits.

Django's own formats differ in order from one of our languages to the next, and Nepali has none. `FORMAT_MODULE_PATH`
looks for one module a language.
"""

from typing import Final

DATE: Final = "j F Y"
TIME: Final = "H:i"
