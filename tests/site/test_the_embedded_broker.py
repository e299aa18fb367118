"""The folder that carries tasks in the embedded edition."""

from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from threading import Thread

import pytest
from kombu import Connection

from callbreak_site.fsatomic import Channel


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    options = {
        "data_folder_in": str(tmp_path / "queue"),
        "data_folder_out": str(tmp_path / "queue"),
        "control_folder": str(tmp_path / "queue" / "control"),
    }
    with Connection("folder://", transport_options=options) as connection:
        yield connection


@pytest.fixture
def channel(connection: Connection) -> Channel:
    channel = connection.default_channel
    assert isinstance(channel, Channel)
    return channel


def test_messages_come_out_in_the_order_they_went_in(channel: Channel) -> None:
    for number in range(12):
        channel._put("bots", {"number": number})

    numbers = [channel._get("bots")["number"] for _ in range(12)]

    assert numbers == list(range(12))
    with pytest.raises(Empty):
        channel._get("bots")


def test_queues_do_not_take_each_others_messages(channel: Channel) -> None:
    channel._put("bots", {"for": "bots"})

    assert channel._size("mail") == 0
    assert channel._size("bots") == 1
    with pytest.raises(Empty):
        channel._get("mail")


def test_a_message_that_is_still_being_written_is_not_there(
    channel: Channel, tmp_path: Path
) -> None:
    channel._put("bots", {"number": 1})
    (tmp_path / "queue" / ".00000000000000000001_half.bots.msg").write_text('{"num')

    assert channel._size("bots") == 1
    assert channel._get("bots") == {"number": 1}


def test_an_unreadable_message_is_set_aside_and_the_next_one_taken(
    channel: Channel, tmp_path: Path
) -> None:
    broken = "00000000000000000001_broken.bots.msg"
    channel._put("bots", {"number": 1})
    (tmp_path / "queue" / broken).write_bytes(b"\xff{")

    message = channel._get("bots")

    assert message == {"number": 1}
    assert (tmp_path / "queue" / "unreadable" / broken).exists()
    assert channel._size("bots") == 0


def test_of_many_readers_each_message_reaches_exactly_one(channel: Channel) -> None:
    for number in range(200):
        channel._put("bots", {"number": number})
    taken: list[int] = []

    def read() -> None:
        while True:
            try:
                taken.append(channel._get("bots")["number"])
            except Empty:
                return

    readers = [Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()

    assert sorted(taken) == list(range(200))


def test_purging_empties_one_queue(channel: Channel) -> None:
    channel._put("bots", {})
    channel._put("mail", {})

    assert channel._purge("bots") == 1
    assert channel._size("mail") == 1


def test_a_task_published_through_kombu_arrives(connection: Connection) -> None:
    with connection.SimpleQueue("bots") as queue:
        queue.put({"game": "K7QX2M9RTV4B"})

        message = queue.get(timeout=2)

    assert message.payload == {"game": "K7QX2M9RTV4B"}


def test_queues_bound_at_the_same_moment_are_all_bound(channel: Channel) -> None:
    threads = [
        Thread(target=channel._queue_bind, args=("default", f"key{n}", "", f"queue{n}"))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(channel.get_table("default")) == 8
