"""The stand-alone verifier can be had from the site, and the fairness page says where."""

import pytest
from django.test import Client

from callbreak_verify import main
from tests.verify.test_program import PROGRAM


def test_the_verifier_is_a_download_of_the_file_itself() -> None:
    answer = Client().get("/callbreak_verify.py")

    assert answer.status_code == 200
    assert answer.content == PROGRAM.read_bytes()
    assert answer["Content-Type"] == "text/x-python; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="callbreak_verify.py"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert main([]) == 2


def test_nothing_can_be_sent_there() -> None:
    assert Client().post("/callbreak_verify.py").status_code == 405


@pytest.mark.django_db
def test_the_fairness_page_links_it() -> None:
    assert 'href="/callbreak_verify.py"' in Client().get("/fairness/").content.decode()
