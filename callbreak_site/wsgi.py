"""The site as a WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

from callbreak_site.charsets import unread

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")

application = unread(get_wsgi_application())
