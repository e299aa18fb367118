# One image for every process of production: web, streams, workers, clock, migrations.
FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 \
    CALLBREAK_VAR=/app/var STATIC_ROOT=/app/staticfiles
WORKDIR /app

# requirements-push.txt holds Web Push besides.
ARG REQUIREMENTS=requirements.txt
COPY ${REQUIREMENTS} .
RUN pip install --require-hashes -r ${REQUIREMENTS}
COPY . .

# The build needs settings but no secrets: these open nothing, and nothing connects to anything.
RUN DATABASE_URL=postgres://build@127.0.0.1/build SECRET_KEY=build DEAL_KEYS=build RECEIPT_KEY=build \
    python manage.py collectstatic --noinput --verbosity 0 \
    && python -m callbreak_site.catalogues \
    && useradd --system --uid 1000 callbreak \
    && install -d -o callbreak /app/var
USER callbreak

EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD \
    ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
# The check refuses to serve from a database whose log could be rewritten.
CMD ["sh", "-c", "python manage.py check --deploy --database default && exec gunicorn -c python:callbreak_site.gunicorn_conf callbreak_site.wsgi"]
