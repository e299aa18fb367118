"""The site as a WSGI application."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from callbreak_site.charsets import unread
from callbreak_site.handover import handing_over

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")

application = handing_over(unread(get_wsgi_application()), settings.CALLBREAK_STREAMS_DOOR)
