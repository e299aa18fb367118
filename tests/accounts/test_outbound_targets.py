"""Which addresses may be called: https, and somebody's machine on the open internet, however it is spelt."""

from ipaddress import ip_address
from typing import Any

import pytest

from accounts.outbound.targets import BadTarget, is_public, parse, vetted

PUBLIC = "93.184.215.14"
REFUSED = [
    "http://hooks.example/",
    "ftp://hooks.example/",
    "//hooks.example/",
    "hooks.example",
    "https://",
    "https:///path",
    "https://localhost/",
    "https://intranet/",
    "https://user@hooks.example/",
    "https://user:word@hooks.example/",
    "https://hooks.example/#part",
    "https://hooks.example:22/",
    "https://hooks.example:80/",
    "https://hooks.example:0/",
    "https://hooks.example:99999/",
    "https://hooks.example\\@127.0.0.1/",
    "https://hooks.example/a b",
    "https://hooks.example/\n",
    "https://पत्ती.example/",
    "https://-a.example/",
    "https://a..example/",
    "https://hooks.example/" + "x" * 1000,
    "https://127.0.0.1/",
    "https://127.1/",
    "https://127.0.0.1./",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://127.0.0.0x1/",
    "https://0.0.0.0/",
    "https://10.0.0.1/",
    "https://172.16.9.9/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://100.64.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "https://[fe80::1]/",
    "https://[fe80::1%25eth0]/",
    "https://[fc00::1]/",
    "https://[ff02::1]/",
    "https://[2001:db8::1]/",
    "https://[::1/",
]


def answering(*addresses: str) -> Any:  # as getaddrinfo
    return lambda host, port, **kwargs: [(2, 1, 6, "", (each, port)) for each in addresses]


@pytest.mark.parametrize("url", REFUSED)
def test_what_is_no_target_is_refused_before_anything_is_asked(url: str) -> None:
    with pytest.raises(BadTarget):
        parse(url)


@pytest.mark.parametrize(
    ("url", "authority", "path"),
    [
        ("https://hooks.example", "hooks.example", "/"),
        ("https://Hooks.Example:443/in?a=1&b=2", "hooks.example", "/in?a=1&b=2"),
        ("https://hooks.example.:8443/x", "hooks.example:8443", "/x"),
        (f"https://{PUBLIC}/", PUBLIC, "/"),
        ("https://[2606:4700::1111]:8443/", "[2606:4700::1111]:8443", "/"),
    ],
)
def test_a_public_https_address_is_a_target(url: str, authority: str, path: str) -> None:
    target = parse(url)

    assert target.authority == authority
    assert target.path == path


PRIVATE = """
    127.0.0.1 10.1.2.3 172.31.0.1 192.168.0.9 169.254.169.254 100.127.255.255 0.0.0.0 192.0.2.1 198.18.0.1 240.0.0.1
    ::1 ::ffff:8.8.8.8 fe80::1 fd00::1 2002:808:808:: 2001::1 64:ff9b::808:808 ff0e::1 100::1
"""


@pytest.mark.parametrize("address", PRIVATE.split())
def test_what_a_name_stands_for_must_be_public(address: str) -> None:
    assert not is_public(ip_address(address))
    with pytest.raises(BadTarget, match="not_public"):
        vetted(parse("https://hooks.example/"), answering(address))


def test_one_private_answer_among_public_ones_is_enough_to_refuse() -> None:
    target = parse("https://hooks.example/")

    assert vetted(target, answering(PUBLIC, "2606:4700::1111")) == PUBLIC
    with pytest.raises(BadTarget, match="not_public"):
        vetted(target, answering(PUBLIC, "10.0.0.1"))
    with pytest.raises(BadTarget, match="not_public"):
        vetted(target, answering())
    with pytest.raises(BadTarget, match="no_address"):
        vetted(target, answering("nonsense"))
