# Python 3.11.17; CONTRIBUTING.md explains how to update the digest.
ARG PYTHON=python:3.11-slim-trixie@sha256:45037981b62b34b44602584fccbc4d884d5f7dc92c7ee86bb38a698a79fe1e51

FROM $PYTHON AS build
WORKDIR /app
COPY requirements/run.txt requirements/
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements/run.txt

FROM $PYTHON AS page
RUN apt-get update \
 && apt-get install --yes --no-install-recommends nodejs=20.* npm=9.* \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY web .
RUN npm run check && npm run bundle

FROM $PYTHON
# MALLOC_…: all threads share two heaps, and large blocks stay out of them, so that no memory is lost in holes.
# SQLITE_TMPDIR: cleaning a database takes as much room as the database, which memory may not have.
ENV PYTHONUNBUFFERED=1 PATH=/venv/bin:$PATH DATABASE_URL=sqlite+aiosqlite:////data/gang.sqlite3 \
    NUMBA_CACHE_DIR=/data/compiled SQLITE_TMPDIR=/data MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536
# Pillow needs it for names in Hebrew and Arabic.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libfribidi0=1.0.* \
 && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /app gang && install --directory --owner=gang --mode=700 /data
WORKDIR /app
COPY --from=build /venv /venv
COPY bot bot
COPY cogs cogs
COPY --from=page /app/web/page web/page
USER 10001
VOLUME /data
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s CMD ["python", "-m", "bot", "health"]
CMD ["python", "-m", "bot"]
