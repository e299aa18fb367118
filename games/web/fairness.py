"""The stand-alone verifier, to take home: the very file that this site is tested with."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

NAME: Final = "callbreak_verify.py"


@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    """The program as a download: shown as a page it would only look like one of ours."""
    return HttpResponse(
        (settings.BASE_DIR / NAME).read_bytes(),
        content_type="text/x-python; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{NAME}"'},
    )
