from callbreak_site.formats import DATE, TIME

DATE_FORMAT = DATE
TIME_FORMAT = TIME
DATETIME_FORMAT = f"{DATE}, {TIME}"
