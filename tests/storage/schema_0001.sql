CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE tables (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    guild_id BIGINT NOT NULL,
    channel_id BIGINT NOT NULL,
    parent_id BIGINT,
    host_id BIGINT NOT NULL,
    status VARCHAR(10) NOT NULL,
    size INTEGER NOT NULL,
    edition VARCHAR(40) NOT NULL,
    options JSON NOT NULL,
    pace VARCHAR(10) NOT NULL,
    seed BLOB NOT NULL,
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    first_message_id BIGINT,
    message_id BIGINT,
    notice_id BIGINT,
    notice VARCHAR(40),
    notice_channel_id BIGINT,
    displayed_revision INTEGER NOT NULL,
    announced_hand INTEGER NOT NULL,
    result_id BIGINT,
    announced_gangs INTEGER NOT NULL,
    gang_id BIGINT,
    announced_titles BOOLEAN NOT NULL,
    announced_duplicate BOOLEAN NOT NULL,
    settings JSON NOT NULL,
    invited JSON NOT NULL,
    awaited JSON NOT NULL,
    invitations INTEGER NOT NULL,
    removed JSON NOT NULL,
    pausing JSON NOT NULL,
    ending JSON NOT NULL,
    turn_began BIGINT,
    turn_due BIGINT,
    turn_stage VARCHAR(10),
    turn_remind BIGINT,
    turn_since BIGINT,
    turn_answers INTEGER,
    turn_paused BIGINT,
    turn_off BIGINT,
    turn_off_until BIGINT,
    turn_reminders INTEGER,
    turn INTEGER,
    last_turn JSON,
    paused_at BIGINT,
    nudged_at BIGINT,
    thread_id BIGINT,
    ended VARCHAR(10),
    closed_by_id BIGINT,
    rematch_of INTEGER,
    starts_itself BOOLEAN NOT NULL,
    in_channel BOOLEAN NOT NULL,
    daily VARCHAR(10),
    duplicate_of INTEGER,
    was_duplicate BOOLEAN NOT NULL,
    deals_secret BOOLEAN NOT NULL,
    lowered_moves INTEGER NOT NULL
);
CREATE INDEX ix_tables_guild_id ON tables (guild_id);
CREATE INDEX ix_tables_rematch_of ON tables (rematch_of);
CREATE INDEX ix_tables_duplicate_of ON tables (duplicate_of);
CREATE INDEX ix_tables_channel_id ON tables (channel_id);
CREATE INDEX ix_tables_host_id ON tables (host_id);
CREATE INDEX ix_tables_closed_by_id ON tables (closed_by_id);
CREATE INDEX ix_tables_listing ON tables (id) WHERE CAST(invited AS TEXT) <> '[]' OR CAST(awaited AS TEXT) <> '[]' OR CAST(removed AS TEXT) <> '[]' OR CAST(pausing AS TEXT) <> '[]' OR CAST(ending AS TEXT) <> '[]';
CREATE INDEX ix_tables_open ON tables (guild_id, id) WHERE status IN ('lobby', 'playing') AND daily IS NULL;
CREATE INDEX ix_tables_outdated ON tables (id) WHERE displayed_revision < revision;
CREATE INDEX ix_tables_status_created_at ON tables (status, created_at);
CREATE TABLE seats (
    table_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    user_id BIGINT,
    ai_level VARCHAR(20),
    ai_style VARCHAR(20) NOT NULL,
    name VARCHAR(100) NOT NULL,
    cut INTEGER,
    substitute_id BIGINT,
    substitute_name VARCHAR(100),
    conceded BOOLEAN NOT NULL,
    bank INTEGER NOT NULL,
    orders VARCHAR(20) NOT NULL,
    ordered_at BIGINT,
    missed BOOLEAN NOT NULL,
    CONSTRAINT pk_seats PRIMARY KEY (table_id, seat),
    CONSTRAINT fk_seats_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE INDEX ix_seats_user_id ON seats (user_id);
CREATE INDEX ix_seats_substitute_id ON seats (substitute_id);
CREATE TABLE substitutes (
    table_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    user_id BIGINT NOT NULL,
    name VARCHAR(100) NOT NULL,
    CONSTRAINT pk_substitutes PRIMARY KEY (table_id, seat, user_id, name),
    CONSTRAINT fk_substitutes_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE INDEX ix_substitutes_user_id ON substitutes (user_id);
CREATE TABLE events (
    table_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    line TEXT NOT NULL,
    CONSTRAINT pk_events PRIMARY KEY (table_id, seq),
    CONSTRAINT fk_events_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE packed_logs (
    table_id INTEGER NOT NULL,
    lines BLOB NOT NULL,
    CONSTRAINT pk_packed_logs PRIMARY KEY (table_id),
    CONSTRAINT fk_packed_logs_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE deadlines (
    table_id INTEGER NOT NULL,
    kind VARCHAR(10) NOT NULL,
    due_at BIGINT NOT NULL,
    CONSTRAINT pk_deadlines PRIMARY KEY (table_id),
    CONSTRAINT fk_deadlines_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE INDEX ix_deadlines_due_at ON deadlines (due_at);
CREATE INDEX ix_deadlines_kind_due_at ON deadlines (kind, due_at);
CREATE TABLE daily_deals (
    guild_id BIGINT NOT NULL,
    day VARCHAR(10) NOT NULL,
    seed BLOB NOT NULL,
    CONSTRAINT pk_daily_deals PRIMARY KEY (guild_id, day)
);
CREATE TABLE daily_players (
    guild_id BIGINT NOT NULL,
    day VARCHAR(10) NOT NULL,
    user_id BIGINT NOT NULL,
    name VARCHAR(100) NOT NULL,
    table_id INTEGER NOT NULL,
    points INTEGER,
    others INTEGER,
    CONSTRAINT pk_daily_players PRIMARY KEY (guild_id, day, user_id),
    CONSTRAINT fk_daily_players_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX ix_daily_players_table_id ON daily_players (table_id);
CREATE TABLE daily_marks (
    guild_id BIGINT NOT NULL,
    day VARCHAR(10) NOT NULL,
    mark BLOB NOT NULL,
    CONSTRAINT pk_daily_marks PRIMARY KEY (guild_id, day, mark)
);
CREATE TABLE matches (
    table_id INTEGER NOT NULL,
    guild_id BIGINT NOT NULL,
    channel_id BIGINT NOT NULL,
    edition VARCHAR(40) NOT NULL,
    hands INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    people_only BOOLEAN NOT NULL,
    rated BOOLEAN NOT NULL,
    season INTEGER,
    nth INTEGER NOT NULL,
    par_due BOOLEAN NOT NULL,
    CONSTRAINT pk_matches PRIMARY KEY (table_id),
    CONSTRAINT fk_matches_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE INDEX ix_matches_finished_at ON matches (finished_at);
CREATE INDEX ix_matches_channel_nth ON matches (guild_id, channel_id, nth);
CREATE UNIQUE INDEX ix_matches_guild_nth ON matches (guild_id, nth);
CREATE INDEX ix_matches_par_due ON matches (finished_at) WHERE par_due;
CREATE TABLE match_players (
    table_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    guild_id BIGINT NOT NULL,
    user_id BIGINT,
    name VARCHAR(100) NOT NULL,
    place INTEGER NOT NULL,
    total INTEGER NOT NULL,
    hands INTEGER NOT NULL,
    hands_won INTEGER NOT NULL,
    conceded BOOLEAN NOT NULL,
    absent BOOLEAN NOT NULL,
    nth INTEGER NOT NULL,
    CONSTRAINT pk_match_players PRIMARY KEY (table_id, seat),
    CONSTRAINT fk_match_players_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE INDEX ix_match_players_guild_user_nth ON match_players (guild_id, user_id, nth);
CREATE TABLE hand_players (
    table_id INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    "left" INTEGER NOT NULL,
    points INTEGER NOT NULL,
    won BOOLEAN NOT NULL,
    user_id BIGINT,
    by_owner BOOLEAN NOT NULL,
    strength INTEGER NOT NULL,
    gangs INTEGER NOT NULL,
    biggest INTEGER NOT NULL,
    beaten INTEGER NOT NULL,
    blocked INTEGER NOT NULL,
    forgot INTEGER NOT NULL,
    gave JSON NOT NULL,
    received JSON NOT NULL,
    seconds JSON NOT NULL,
    par INTEGER,
    CONSTRAINT pk_hand_players PRIMARY KEY (table_id, hand, seat),
    CONSTRAINT fk_hand_players_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE INDEX ix_hand_players_user_id ON hand_players (user_id);
CREATE TABLE scores (
    guild_id BIGINT NOT NULL,
    period VARCHAR(10) NOT NULL,
    user_id BIGINT NOT NULL,
    channel_id BIGINT NOT NULL,
    edition VARCHAR(40) NOT NULL,
    people_only BOOLEAN NOT NULL,
    matches INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    absent INTEGER NOT NULL,
    hands INTEGER NOT NULL,
    points INTEGER NOT NULL,
    squares INTEGER NOT NULL,
    par_hands INTEGER NOT NULL,
    luck INTEGER NOT NULL,
    skill INTEGER NOT NULL,
    skill_squares BIGINT NOT NULL,
    CONSTRAINT pk_scores PRIMARY KEY (guild_id, period, user_id, channel_id, edition, people_only)
);
CREATE TABLE members (
    guild_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    name VARCHAR(100) NOT NULL,
    mu FLOAT,
    sigma FLOAT,
    rated INTEGER NOT NULL,
    CONSTRAINT pk_members PRIMARY KEY (guild_id, user_id)
);
CREATE TABLE ratings (
    table_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    guild_id BIGINT NOT NULL,
    user_id BIGINT,
    mu FLOAT NOT NULL,
    sigma FLOAT NOT NULL,
    CONSTRAINT pk_ratings PRIMARY KEY (table_id, seat),
    CONSTRAINT fk_ratings_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE INDEX ix_ratings_guild_user ON ratings (guild_id, user_id);
CREATE TABLE title_stats (
    guild_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    gangs INTEGER NOT NULL,
    beaten INTEGER NOT NULL,
    blocked INTEGER NOT NULL,
    forgot INTEGER NOT NULL,
    gifts INTEGER NOT NULL,
    given INTEGER NOT NULL,
    hardest INTEGER NOT NULL,
    comebacks INTEGER NOT NULL,
    streak INTEGER NOT NULL,
    longest INTEGER NOT NULL,
    CONSTRAINT pk_title_stats PRIMARY KEY (guild_id, user_id)
);
CREATE TABLE titles (
    guild_id BIGINT NOT NULL,
    title VARCHAR(20) NOT NULL,
    user_id BIGINT NOT NULL,
    value FLOAT NOT NULL,
    since INTEGER NOT NULL,
    before_id BIGINT,
    table_id INTEGER NOT NULL,
    CONSTRAINT pk_titles PRIMARY KEY (guild_id, title)
);
CREATE TABLE guilds (
    id BIGINT NOT NULL,
    locale VARCHAR(10) NOT NULL,
    language VARCHAR(10) NOT NULL,
    celebrations VARCHAR(10) NOT NULL,
    text_cards BOOLEAN NOT NULL,
    channels JSON NOT NULL,
    roles JSON NOT NULL,
    defaults JSON NOT NULL,
    limits JSON NOT NULL,
    post_every VARCHAR(10) NOT NULL,
    post_channel_id BIGINT,
    post_at INTEGER,
    left_at INTEGER,
    CONSTRAINT pk_guilds PRIMARY KEY (id)
);
CREATE TABLE audit_log (
    id INTEGER NOT NULL,
    guild_id BIGINT NOT NULL,
    at INTEGER NOT NULL,
    user_id BIGINT,
    what VARCHAR(20) NOT NULL,
    "before" TEXT NOT NULL,
    "after" TEXT NOT NULL,
    CONSTRAINT pk_audit_log PRIMARY KEY (id)
);
CREATE INDEX ix_audit_log_guild_id ON audit_log (guild_id, id);
CREATE TABLE seasons (
    guild_id BIGINT NOT NULL,
    number INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    began_at INTEGER NOT NULL,
    ended_at INTEGER,
    channel_id BIGINT,
    CONSTRAINT pk_seasons PRIMARY KEY (guild_id, number)
);
CREATE TABLE users (
    user_id BIGINT NOT NULL,
    notifications VARCHAR(10) NOT NULL,
    zone VARCHAR(40) NOT NULL,
    quiet_from INTEGER,
    quiet_until INTEGER,
    away_from VARCHAR(10),
    away_until VARCHAR(10),
    language VARCHAR(10) NOT NULL,
    text_cards BOOLEAN NOT NULL,
    by_color BOOLEAN NOT NULL,
    greeted BOOLEAN NOT NULL,
    lesson INTEGER NOT NULL,
    hidden BOOLEAN NOT NULL,
    puzzle_day VARCHAR(10),
    puzzle_streak INTEGER,
    puzzle_best INTEGER,
    logged_out_at BIGINT,
    CONSTRAINT pk_users PRIMARY KEY (user_id)
);
CREATE TABLE table_alerts (
    guild_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    CONSTRAINT pk_table_alerts PRIMARY KEY (guild_id, user_id)
);
CREATE TABLE imports (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    user_id BIGINT NOT NULL,
    record TEXT NOT NULL,
    at INTEGER NOT NULL,
    deal VARCHAR(64) NOT NULL
);
CREATE UNIQUE INDEX ix_imports_user_id ON imports (user_id);
CREATE INDEX ix_imports_deal ON imports (deal);
CREATE TABLE practices (
    user_id BIGINT NOT NULL,
    begun_at BIGINT NOT NULL,
    source VARCHAR(10) NOT NULL,
    match_number INTEGER NOT NULL,
    level VARCHAR(10) NOT NULL,
    seat INTEGER NOT NULL,
    begins INTEGER NOT NULL,
    log TEXT NOT NULL,
    CONSTRAINT pk_practices PRIMARY KEY (user_id)
);
CREATE INDEX ix_practices_begun_at ON practices (begun_at);
CREATE TABLE deletions (
    user_id BIGINT NOT NULL,
    started_at INTEGER NOT NULL,
    guilds JSON NOT NULL,
    CONSTRAINT pk_deletions PRIMARY KEY (user_id)
);
CREATE TABLE served_shards (
    shard_count INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    served_at BIGINT NOT NULL,
    CONSTRAINT pk_served_shards PRIMARY KEY (shard_count, shard)
);
CREATE TABLE published_commands (
    application_id BIGINT NOT NULL,
    digest VARCHAR(64) NOT NULL,
    CONSTRAINT pk_published_commands PRIMARY KEY (application_id)
);
INSERT INTO alembic_version VALUES ('0001');
