"""The pages. Views answer forms and show what `games.queries` says; presenters make it ready for the templates."""
