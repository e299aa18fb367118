"""What an account's stream tells: everything once, however often and for however long it is cut off."""

from datetime import timedelta

from accounts.models import User
from games import news
from tests.games.tables import NOW, ONE_ROUND, seated, step

SLOWLY = timedelta(seconds=45)


def told_of(each: news.News) -> tuple[str, str, object]:
    return each.kind, each.game, each.data.get("turn")


def test_whoever_is_cut_off_after_each_event_for_longer_than_a_minute_hears_all_and_nothing_twice(
    people: list[User],
) -> None:
    for game in [seated(people, ONE_ROUND) for _ in range(3)]:
        for _ in range(8):
            step(game)
    place = news.Place(NOW)
    at_once = [told_of(each) for each, _ in news.since(people[0].pk, place, now=NOW)[0]]

    heard, now = [], NOW
    while found := news.since(people[0].pk, place, now=now)[0]:
        first, behind = found[0]
        heard.append(told_of(first))
        place, now = news.Place.parse(str(behind)), now + SLOWLY

    assert len(at_once) >= 3 * 3
    assert sorted(heard, key=str) == sorted(at_once, key=str)


def test_a_match_that_was_over_is_told_once_though_the_next_news_come_late(
    people: list[User],
) -> None:
    first, second = (seated(people, ONE_ROUND) for _ in range(2))
    while step(first):
        pass
    told, place = news.since(people[0].pk, news.Place(NOW), now=NOW)
    assert [each.kind for each, _ in told if each.game == first][-1] == news.FINISHED

    for _ in range(8):
        step(second)
    later = NOW + timedelta(minutes=10)
    cut_off = news.since(people[0].pk, place, now=later)[0][0][1]
    again = news.since(people[0].pk, news.Place.parse(str(cut_off)), now=later)[0]

    assert first not in {each.game for each, _ in again}


def test_a_new_stream_tells_what_waits_alone_though_it_is_cut_off_after_each_event(
    people: list[User],
) -> None:
    games = [seated(people, ONE_ROUND) for _ in range(5)]
    for steps, game in enumerate(games):
        for _ in range(6 + steps):
            step(game)
    user = people[0].pk
    place = news.Place(NOW, is_new=True)
    waiting = [told_of(each) for each, _ in news.since(user, place, now=NOW)[0]]

    heard = []
    while found := news.since(user, place, now=NOW)[0]:
        first, behind = found[0]
        heard.append(told_of(first))
        place = news.Place.parse(str(behind))
    for game in games:
        while step(game):
            pass
    later = [told_of(each) for each, _ in news.since(user, place, now=NOW)[0]]

    assert 0 < len(waiting) < 5
    assert heard == waiting
    assert len(later) == len(set(later))
    assert not set(later) & set(heard)
    assert {game for kind, game, _ in later if kind == news.FINISHED} == set(games)
