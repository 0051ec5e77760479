# syntax=docker/dockerfile:1

FROM python:3.11-slim AS build
WORKDIR /app
COPY requirements/run.txt requirements/
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements/run.txt

FROM python:3.11-slim
ENV PYTHONUNBUFFERED=1 PATH=/venv/bin:$PATH DATABASE_URL=sqlite+aiosqlite:////data/gang.sqlite3 \
    NUMBA_CACHE_DIR=/data/compiled
RUN useradd --system --uid 10001 --home-dir /app gang && install --directory --owner=gang --mode=700 /data
WORKDIR /app
COPY --from=build /venv /venv
COPY bot bot
COPY cogs cogs
USER 10001
VOLUME /data
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s CMD ["python", "-m", "bot", "health"]
CMD ["python", "-m", "bot"]
