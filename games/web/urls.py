"""The addresses of the pages."""

from django.urls import path

from games.web import display, home, landing, learn, notices, pages, plans, rules, table, tables

urlpatterns = [
    path("", landing.landing, name="landing"),
    path("play/", landing.play_now, name="play_now"),
    path("home/", home.home, name="home"),
    path("next/", home.next_game, name="next_game"),
    path("tables/", tables.lobby_page, name="tables"),
    path("games/new/", tables.new_table, name="new_table"),
    path("rules/", rules.index, name="rules"),
    path("rules/<slug:name>/", rules.preset, name="rules_preset"),
    path("learn/", learn.learn, name="learn"),
    path("learn/<int:step>/", learn.learn, name="learn_step"),
    path("fairness/", pages.fairness, name="fairness"),
    path("settings/", pages.settings, name="settings"),
    path("settings/notices/", notices.settings, name="notices"),
    path("notices/stop/<str:token>/", notices.stop, name="notices_stop"),
    path("settings/display/", display.change, name="display"),
    path("games/<slug:game_id>/", table.show, name="table"),
    path("games/<slug:game_id>/table", table.fragment, name="table_fragment"),
    path("games/<slug:game_id>/bid", table.place_bid, name="table_bid"),
    path("games/<slug:game_id>/play", table.play_card, name="table_play"),
    path("games/<slug:game_id>/claim", table.claim, name="table_claim"),
    path("games/<slug:game_id>/autopilot", table.autopilot, name="table_autopilot"),
    path("games/<slug:game_id>/plan/<int:number>/", plans.plan, name="plan"),
    path("games/<slug:game_id>/plan/<int:number>/away", plans.throw_away, name="plan_away"),
    path("games/<slug:game_id>/sit", table.sit, name="table_sit"),
    path("games/<slug:game_id>/leave", table.leave, name="table_leave"),
    path("games/<slug:game_id>/start", table.start, name="table_start"),
]
