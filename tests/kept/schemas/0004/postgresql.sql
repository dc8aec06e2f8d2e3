CREATE FUNCTION public.polemos_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'the audit log is append only'; END $$;
CREATE TABLE public.account_tokens (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    hash character varying(64) NOT NULL,
    name character varying(40) NOT NULL,
    created double precision NOT NULL,
    used double precision
);
CREATE SEQUENCE public.account_tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.account_tokens_id_seq OWNED BY public.account_tokens.id;
CREATE TABLE public.accounts (
    id bigint NOT NULL,
    name character varying(40) NOT NULL,
    folded character varying(80) NOT NULL,
    password character varying(200) NOT NULL,
    created double precision NOT NULL,
    looks character varying(120) DEFAULT ''::character varying NOT NULL
);
CREATE SEQUENCE public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.accounts_id_seq OWNED BY public.accounts.id;
CREATE TABLE public.acts (
    table_id character varying(24) NOT NULL,
    number integer NOT NULL,
    at double precision NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.audit (
    id bigint NOT NULL,
    at double precision NOT NULL,
    by character varying(80) NOT NULL,
    what character varying(20) NOT NULL,
    target character varying(160) NOT NULL,
    why text NOT NULL
);
CREATE SEQUENCE public.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.audit_id_seq OWNED BY public.audit.id;
CREATE TABLE public.bans (
    id bigint NOT NULL,
    kind character varying(10) NOT NULL,
    target character varying(120) NOT NULL,
    shown character varying(120) NOT NULL,
    why text NOT NULL,
    begun double precision NOT NULL,
    until double precision,
    lifted double precision
);
CREATE SEQUENCE public.bans_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.bans_id_seq OWNED BY public.bans.id;
CREATE TABLE public.beats (
    id integer NOT NULL,
    at double precision NOT NULL
);
CREATE SEQUENCE public.beats_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.beats_id_seq OWNED BY public.beats.id;
CREATE TABLE public.bot_notices (
    id bigint NOT NULL,
    account_id bigint,
    bot_id bigint,
    at double precision NOT NULL,
    kind character varying(20) NOT NULL,
    text text NOT NULL,
    game_id bigint,
    seen integer DEFAULT 0 NOT NULL
);
CREATE SEQUENCE public.bot_notices_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.bot_notices_id_seq OWNED BY public.bot_notices.id;
CREATE TABLE public.bot_versions (
    id bigint NOT NULL,
    bot_id bigint NOT NULL,
    number integer NOT NULL,
    digest character varying(64),
    source character varying(64) DEFAULT ''::character varying NOT NULL,
    size integer DEFAULT 0 NOT NULL,
    dialect character varying(40) DEFAULT ''::character varying NOT NULL,
    language character varying(40) DEFAULT ''::character varying NOT NULL,
    state character varying(10) NOT NULL,
    why text DEFAULT ''::text NOT NULL,
    bid integer,
    created double precision NOT NULL
);
CREATE SEQUENCE public.bot_versions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.bot_versions_id_seq OWNED BY public.bot_versions.id;
CREATE TABLE public.bots (
    id bigint NOT NULL,
    account_id bigint,
    game character varying(40) NOT NULL,
    name character varying(40) NOT NULL,
    builtin character varying(40),
    created double precision NOT NULL,
    state character varying(10) NOT NULL,
    paused_by character varying(10) DEFAULT ''::character varying NOT NULL,
    why text DEFAULT ''::text NOT NULL,
    changed double precision NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    version_id bigint,
    published integer DEFAULT 0 NOT NULL
);
CREATE SEQUENCE public.bots_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.bots_id_seq OWNED BY public.bots.id;
CREATE TABLE public.challenge_games (
    challenge_id bigint NOT NULL,
    game_id bigint NOT NULL
);
CREATE TABLE public.challenges (
    id bigint NOT NULL,
    ladder_id bigint NOT NULL,
    account_id bigint NOT NULL,
    created double precision NOT NULL,
    map character varying(80) NOT NULL,
    games integer NOT NULL,
    counts boolean NOT NULL
);
CREATE SEQUENCE public.challenges_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.challenges_id_seq OWNED BY public.challenges.id;
CREATE TABLE public.drafts (
    table_id character varying(24) NOT NULL,
    seat character varying(40) NOT NULL,
    lines bytea NOT NULL
);
CREATE TABLE public.errands (
    id bigint NOT NULL,
    at double precision NOT NULL,
    body bytea NOT NULL,
    done double precision,
    result text DEFAULT ''::text NOT NULL
);
CREATE SEQUENCE public.errands_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.errands_id_seq OWNED BY public.errands.id;
CREATE TABLE public.game_tables (
    id character varying(24) NOT NULL,
    game character varying(40) NOT NULL,
    edition integer NOT NULL,
    wish bytea NOT NULL,
    key character varying(64) NOT NULL,
    created double precision NOT NULL,
    status character varying(10) NOT NULL,
    listed boolean NOT NULL
);
CREATE TABLE public.group_members (
    group_id character varying(24) NOT NULL,
    account_id bigint NOT NULL,
    state character varying(10) NOT NULL,
    since double precision NOT NULL,
    logs character varying(10) NOT NULL,
    extra double precision DEFAULT 0 NOT NULL
);
CREATE TABLE public.group_news (
    id bigint NOT NULL,
    group_id character varying(24) NOT NULL,
    at double precision NOT NULL,
    text text NOT NULL
);
CREATE SEQUENCE public.group_news_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.group_news_id_seq OWNED BY public.group_news.id;
CREATE TABLE public.group_tournament_games (
    tournament_id bigint NOT NULL,
    number integer NOT NULL,
    game_id bigint NOT NULL,
    meeting integer NOT NULL,
    round integer NOT NULL,
    seating character varying(120) NOT NULL
);
CREATE TABLE public.group_tournaments (
    id bigint NOT NULL,
    group_id character varying(24) NOT NULL,
    ladder_id bigint NOT NULL,
    state character varying(10) NOT NULL,
    plan bytea NOT NULL,
    versions bytea NOT NULL,
    maps bytea NOT NULL,
    begun double precision NOT NULL,
    ended double precision
);
CREATE SEQUENCE public.group_tournaments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.group_tournaments_id_seq OWNED BY public.group_tournaments.id;
CREATE TABLE public.groups (
    id character varying(24) NOT NULL,
    name character varying(60) NOT NULL,
    kind character varying(12) NOT NULL,
    organiser_id bigint NOT NULL,
    ladder_id bigint NOT NULL,
    invite character varying(24) NOT NULL,
    asks boolean NOT NULL,
    logs character varying(10) NOT NULL,
    created double precision NOT NULL,
    sign_up double precision,
    lock_at double precision,
    locked double precision,
    settled boolean NOT NULL,
    system character varying(12) NOT NULL,
    rounds integer,
    games integer NOT NULL,
    maps integer NOT NULL,
    starts double precision
);
CREATE TABLE public.ladder_duty (
    id integer NOT NULL,
    holder character varying(40) NOT NULL,
    number integer NOT NULL,
    expires double precision NOT NULL
);
CREATE TABLE public.ladder_entries (
    ladder_id bigint NOT NULL,
    bot_id bigint NOT NULL,
    entered double precision NOT NULL,
    version_id bigint
);
CREATE TABLE public.ladder_fit_ratings (
    fit_id bigint NOT NULL,
    version_id bigint NOT NULL,
    bot_id bigint NOT NULL,
    elo double precision NOT NULL,
    margin double precision NOT NULL,
    games integer DEFAULT 0 NOT NULL,
    listed boolean NOT NULL,
    "placing" boolean NOT NULL,
    rank_from integer,
    rank_to integer,
    band integer,
    doubt_from integer,
    doubt_to integer,
    mu double precision
);
CREATE TABLE public.ladder_fits (
    id bigint NOT NULL,
    season_id bigint NOT NULL,
    at double precision NOT NULL,
    games integer NOT NULL,
    anchor_id bigint
);
CREATE SEQUENCE public.ladder_fits_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.ladder_fits_id_seq OWNED BY public.ladder_fits.id;
CREATE TABLE public.ladder_games (
    id bigint NOT NULL,
    ladder_id bigint NOT NULL,
    season_id bigint NOT NULL,
    meeting bigint NOT NULL,
    turn integer NOT NULL,
    seed character varying(64) NOT NULL,
    bot_seed character varying(64) NOT NULL,
    map character varying(80) NOT NULL,
    options bytea NOT NULL,
    why character varying(120) NOT NULL,
    stage character varying(10) NOT NULL,
    priority integer NOT NULL,
    counts boolean NOT NULL,
    seating character varying(120) NOT NULL,
    created double precision NOT NULL,
    state character varying(10) NOT NULL,
    lease integer DEFAULT 0 NOT NULL,
    begun double precision,
    expires double precision,
    lost integer DEFAULT 0 NOT NULL,
    trouble text DEFAULT ''::text NOT NULL,
    worker_id bigint,
    done double precision,
    cause character varying(12) DEFAULT ''::character varying NOT NULL,
    ranks character varying(40) DEFAULT ''::character varying NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    rule character varying(20) DEFAULT ''::character varying NOT NULL,
    steps integer DEFAULT 0 NOT NULL,
    fingerprint character varying(32) DEFAULT ''::character varying NOT NULL,
    replay character varying(32),
    faulty integer DEFAULT 0 NOT NULL,
    seconds double precision DEFAULT 0 NOT NULL,
    taken integer DEFAULT 0 NOT NULL
);
CREATE SEQUENCE public.ladder_games_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.ladder_games_id_seq OWNED BY public.ladder_games.id;
CREATE TABLE public.ladder_loads (
    at double precision NOT NULL,
    waiting integer NOT NULL,
    leased integer NOT NULL
);
CREATE TABLE public.ladder_pairs (
    season_id bigint NOT NULL,
    version_id bigint NOT NULL,
    other_id bigint NOT NULL,
    map character varying(80) NOT NULL,
    games integer DEFAULT 0 NOT NULL,
    wins integer DEFAULT 0 NOT NULL,
    draws integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.ladder_ratings (
    season_id bigint NOT NULL,
    version_id bigint NOT NULL,
    bot_id bigint NOT NULL,
    base_mu double precision NOT NULL,
    base_sigma double precision NOT NULL,
    base_games integer DEFAULT 0 NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    games integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.ladder_seasons (
    id bigint NOT NULL,
    ladder_id bigint NOT NULL,
    number integer NOT NULL,
    phase character varying(10) NOT NULL,
    begun double precision NOT NULL,
    ends double precision NOT NULL,
    ended double precision,
    rated_to bigint DEFAULT 0 NOT NULL,
    fit_id bigint
);
CREATE SEQUENCE public.ladder_seasons_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.ladder_seasons_id_seq OWNED BY public.ladder_seasons.id;
CREATE TABLE public.ladder_seats (
    game_id bigint NOT NULL,
    entry integer NOT NULL,
    bot_id bigint NOT NULL,
    version_id bigint NOT NULL,
    seat integer,
    rank integer,
    points double precision,
    fault text,
    strikes integer DEFAULT 0 NOT NULL,
    void_lines integer DEFAULT 0 NOT NULL,
    cpu double precision DEFAULT 0 NOT NULL,
    wall double precision DEFAULT 0 NOT NULL,
    slowest double precision DEFAULT 0 NOT NULL,
    done double precision
);
CREATE TABLE public.ladder_tallies (
    season_id bigint NOT NULL,
    version_id bigint NOT NULL,
    games integer DEFAULT 0 NOT NULL,
    wins integer DEFAULT 0 NOT NULL,
    draws integer DEFAULT 0 NOT NULL,
    faults integer DEFAULT 0 NOT NULL,
    strikes integer DEFAULT 0 NOT NULL,
    void_lines integer DEFAULT 0 NOT NULL,
    cpu double precision DEFAULT 0 NOT NULL
);
CREATE TABLE public.ladder_workers (
    id bigint NOT NULL,
    name character varying(80) NOT NULL,
    state character varying(10) NOT NULL,
    why text DEFAULT ''::text NOT NULL,
    created double precision NOT NULL,
    seen double precision NOT NULL,
    games integer DEFAULT 0 NOT NULL,
    seats integer DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    broken integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    places integer DEFAULT 0 NOT NULL,
    token character varying(64)
);
CREATE SEQUENCE public.ladder_workers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.ladder_workers_id_seq OWNED BY public.ladder_workers.id;
CREATE TABLE public.ladders (
    id bigint NOT NULL,
    game character varying(40) NOT NULL,
    rules character varying(40) NOT NULL,
    circle character varying(24) DEFAULT ''::character varying NOT NULL,
    title character varying(80) NOT NULL,
    options bytea NOT NULL,
    maps bytea NOT NULL,
    seats integer NOT NULL,
    bids boolean NOT NULL,
    budget bytea NOT NULL,
    key character varying(64) NOT NULL,
    state character varying(10) NOT NULL,
    season_seconds double precision NOT NULL,
    final_meetings integer NOT NULL,
    created double precision NOT NULL,
    meetings integer DEFAULT 0 NOT NULL,
    anchor_id bigint
);
CREATE SEQUENCE public.ladders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.ladders_id_seq OWNED BY public.ladders.id;
CREATE TABLE public.leases (
    table_id character varying(24) NOT NULL,
    owner character varying(24),
    number integer NOT NULL
);
CREATE TABLE public.notes (
    table_id character varying(24) NOT NULL,
    seat character varying(40) NOT NULL,
    place character varying(40) NOT NULL,
    text text NOT NULL
);
CREATE TABLE public.notices (
    id bigint NOT NULL,
    text text NOT NULL,
    begun double precision NOT NULL,
    until double precision NOT NULL
);
CREATE SEQUENCE public.notices_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.notices_id_seq OWNED BY public.notices.id;
CREATE TABLE public.operators (
    account_id bigint NOT NULL,
    since double precision NOT NULL
);
CREATE TABLE public.parties (
    id character varying(24) NOT NULL,
    game character varying(40) NOT NULL,
    plan bytea NOT NULL,
    created double precision NOT NULL,
    over boolean NOT NULL
);
CREATE TABLE public.party_journal (
    party_id character varying(24) NOT NULL,
    number integer NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE public.party_links (
    party_id character varying(24) NOT NULL,
    role character varying(24) NOT NULL,
    number integer NOT NULL,
    token character varying(64) NOT NULL
);
CREATE TABLE public.party_talk (
    party_id character varying(24) NOT NULL,
    number integer NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE public.people_ratings (
    game character varying(40) NOT NULL,
    rules character varying(40) NOT NULL,
    account_id bigint NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    games integer DEFAULT 0 NOT NULL,
    wins integer DEFAULT 0 NOT NULL,
    draws integer DEFAULT 0 NOT NULL,
    last double precision NOT NULL
);
CREATE TABLE public.people_results (
    table_id character varying(24) NOT NULL,
    game character varying(40) NOT NULL,
    rules character varying(40) NOT NULL,
    at double precision NOT NULL,
    people character varying(120) NOT NULL,
    ranks character varying(40) NOT NULL,
    taken integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.places (
    table_id character varying(24) NOT NULL,
    account_id bigint NOT NULL
);
CREATE TABLE public.processes (
    id character varying(24) NOT NULL,
    place character varying(200) NOT NULL,
    address character varying(200) NOT NULL,
    mark character varying(64) NOT NULL,
    began double precision NOT NULL,
    renewed double precision NOT NULL,
    expires double precision NOT NULL,
    alive boolean NOT NULL
);
CREATE TABLE public.pulses (
    process character varying(24) NOT NULL,
    at double precision NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE public.quotas (
    account_id bigint NOT NULL,
    what character varying(20) NOT NULL,
    most integer NOT NULL
);
CREATE TABLE public.receptions (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    place character varying(32) NOT NULL,
    called character varying(200) NOT NULL,
    size integer DEFAULT 0 NOT NULL,
    game character varying(40),
    bot_id bigint,
    version_id bigint,
    created double precision NOT NULL,
    ended double precision,
    state character varying(10) NOT NULL,
    "end" character varying(12) DEFAULT ''::character varying NOT NULL,
    lease integer DEFAULT 0 NOT NULL,
    expires double precision,
    failed integer DEFAULT 0 NOT NULL,
    changes integer DEFAULT 0 NOT NULL,
    progress bytea DEFAULT '\x'::bytea NOT NULL
);
CREATE SEQUENCE public.receptions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.receptions_id_seq OWNED BY public.receptions.id;
CREATE TABLE public.reports (
    id bigint NOT NULL,
    at double precision NOT NULL,
    table_id character varying(24) NOT NULL,
    by character varying(60) NOT NULL,
    about character varying(10) NOT NULL,
    target character varying(60) NOT NULL,
    address character varying(50) NOT NULL,
    text text NOT NULL,
    lines bytea NOT NULL,
    done double precision
);
CREATE SEQUENCE public.reports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.reports_id_seq OWNED BY public.reports.id;
CREATE TABLE public.sessions (
    id character varying(64) NOT NULL,
    account_id bigint NOT NULL,
    created double precision NOT NULL,
    address character varying(50) DEFAULT ''::character varying NOT NULL
);
CREATE TABLE public.standings (
    table_id character varying(24) NOT NULL,
    owner character varying(40) NOT NULL,
    alone boolean NOT NULL,
    at double precision NOT NULL,
    asleep boolean NOT NULL,
    card bytea,
    due bytea,
    body bytea
);
CREATE TABLE public.talk (
    table_id character varying(24) NOT NULL,
    number integer NOT NULL,
    body bytea NOT NULL
);
ALTER TABLE ONLY public.account_tokens ALTER COLUMN id SET DEFAULT nextval('public.account_tokens_id_seq'::regclass);
ALTER TABLE ONLY public.accounts ALTER COLUMN id SET DEFAULT nextval('public.accounts_id_seq'::regclass);
ALTER TABLE ONLY public.audit ALTER COLUMN id SET DEFAULT nextval('public.audit_id_seq'::regclass);
ALTER TABLE ONLY public.bans ALTER COLUMN id SET DEFAULT nextval('public.bans_id_seq'::regclass);
ALTER TABLE ONLY public.beats ALTER COLUMN id SET DEFAULT nextval('public.beats_id_seq'::regclass);
ALTER TABLE ONLY public.bot_notices ALTER COLUMN id SET DEFAULT nextval('public.bot_notices_id_seq'::regclass);
ALTER TABLE ONLY public.bot_versions ALTER COLUMN id SET DEFAULT nextval('public.bot_versions_id_seq'::regclass);
ALTER TABLE ONLY public.bots ALTER COLUMN id SET DEFAULT nextval('public.bots_id_seq'::regclass);
ALTER TABLE ONLY public.challenges ALTER COLUMN id SET DEFAULT nextval('public.challenges_id_seq'::regclass);
ALTER TABLE ONLY public.errands ALTER COLUMN id SET DEFAULT nextval('public.errands_id_seq'::regclass);
ALTER TABLE ONLY public.group_news ALTER COLUMN id SET DEFAULT nextval('public.group_news_id_seq'::regclass);
ALTER TABLE ONLY public.group_tournaments ALTER COLUMN id SET DEFAULT nextval('public.group_tournaments_id_seq'::regclass);
ALTER TABLE ONLY public.ladder_fits ALTER COLUMN id SET DEFAULT nextval('public.ladder_fits_id_seq'::regclass);
ALTER TABLE ONLY public.ladder_games ALTER COLUMN id SET DEFAULT nextval('public.ladder_games_id_seq'::regclass);
ALTER TABLE ONLY public.ladder_seasons ALTER COLUMN id SET DEFAULT nextval('public.ladder_seasons_id_seq'::regclass);
ALTER TABLE ONLY public.ladder_workers ALTER COLUMN id SET DEFAULT nextval('public.ladder_workers_id_seq'::regclass);
ALTER TABLE ONLY public.ladders ALTER COLUMN id SET DEFAULT nextval('public.ladders_id_seq'::regclass);
ALTER TABLE ONLY public.notices ALTER COLUMN id SET DEFAULT nextval('public.notices_id_seq'::regclass);
ALTER TABLE ONLY public.receptions ALTER COLUMN id SET DEFAULT nextval('public.receptions_id_seq'::regclass);
ALTER TABLE ONLY public.reports ALTER COLUMN id SET DEFAULT nextval('public.reports_id_seq'::regclass);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.account_tokens
    ADD CONSTRAINT pk_account_tokens PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT pk_accounts PRIMARY KEY (id);
ALTER TABLE ONLY public.acts
    ADD CONSTRAINT pk_acts PRIMARY KEY (table_id, number);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT pk_audit PRIMARY KEY (id);
ALTER TABLE ONLY public.bans
    ADD CONSTRAINT pk_bans PRIMARY KEY (id);
ALTER TABLE ONLY public.beats
    ADD CONSTRAINT pk_beats PRIMARY KEY (id);
ALTER TABLE ONLY public.bot_notices
    ADD CONSTRAINT pk_bot_notices PRIMARY KEY (id);
ALTER TABLE ONLY public.bot_versions
    ADD CONSTRAINT pk_bot_versions PRIMARY KEY (id);
ALTER TABLE ONLY public.bots
    ADD CONSTRAINT pk_bots PRIMARY KEY (id);
ALTER TABLE ONLY public.challenge_games
    ADD CONSTRAINT pk_challenge_games PRIMARY KEY (challenge_id, game_id);
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT pk_challenges PRIMARY KEY (id);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT pk_drafts PRIMARY KEY (table_id, seat);
ALTER TABLE ONLY public.errands
    ADD CONSTRAINT pk_errands PRIMARY KEY (id);
ALTER TABLE ONLY public.game_tables
    ADD CONSTRAINT pk_game_tables PRIMARY KEY (id);
ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT pk_group_members PRIMARY KEY (group_id, account_id);
ALTER TABLE ONLY public.group_news
    ADD CONSTRAINT pk_group_news PRIMARY KEY (id);
ALTER TABLE ONLY public.group_tournament_games
    ADD CONSTRAINT pk_group_tournament_games PRIMARY KEY (tournament_id, number);
ALTER TABLE ONLY public.group_tournaments
    ADD CONSTRAINT pk_group_tournaments PRIMARY KEY (id);
ALTER TABLE ONLY public.groups
    ADD CONSTRAINT pk_groups PRIMARY KEY (id);
ALTER TABLE ONLY public.ladder_duty
    ADD CONSTRAINT pk_ladder_duty PRIMARY KEY (id);
ALTER TABLE ONLY public.ladder_entries
    ADD CONSTRAINT pk_ladder_entries PRIMARY KEY (ladder_id, bot_id);
ALTER TABLE ONLY public.ladder_fit_ratings
    ADD CONSTRAINT pk_ladder_fit_ratings PRIMARY KEY (fit_id, version_id);
ALTER TABLE ONLY public.ladder_fits
    ADD CONSTRAINT pk_ladder_fits PRIMARY KEY (id);
ALTER TABLE ONLY public.ladder_games
    ADD CONSTRAINT pk_ladder_games PRIMARY KEY (id);
ALTER TABLE ONLY public.ladder_loads
    ADD CONSTRAINT pk_ladder_loads PRIMARY KEY (at);
ALTER TABLE ONLY public.ladder_pairs
    ADD CONSTRAINT pk_ladder_pairs PRIMARY KEY (season_id, version_id, other_id, map);
ALTER TABLE ONLY public.ladder_ratings
    ADD CONSTRAINT pk_ladder_ratings PRIMARY KEY (season_id, version_id);
ALTER TABLE ONLY public.ladder_seasons
    ADD CONSTRAINT pk_ladder_seasons PRIMARY KEY (id);
ALTER TABLE ONLY public.ladder_seats
    ADD CONSTRAINT pk_ladder_seats PRIMARY KEY (game_id, entry);
ALTER TABLE ONLY public.ladder_tallies
    ADD CONSTRAINT pk_ladder_tallies PRIMARY KEY (season_id, version_id);
ALTER TABLE ONLY public.ladder_workers
    ADD CONSTRAINT pk_ladder_workers PRIMARY KEY (id);
ALTER TABLE ONLY public.ladders
    ADD CONSTRAINT pk_ladders PRIMARY KEY (id);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT pk_leases PRIMARY KEY (table_id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT pk_notes PRIMARY KEY (table_id, seat, place);
ALTER TABLE ONLY public.notices
    ADD CONSTRAINT pk_notices PRIMARY KEY (id);
ALTER TABLE ONLY public.operators
    ADD CONSTRAINT pk_operators PRIMARY KEY (account_id);
ALTER TABLE ONLY public.parties
    ADD CONSTRAINT pk_parties PRIMARY KEY (id);
ALTER TABLE ONLY public.party_journal
    ADD CONSTRAINT pk_party_journal PRIMARY KEY (party_id, number);
ALTER TABLE ONLY public.party_links
    ADD CONSTRAINT pk_party_links PRIMARY KEY (party_id, role);
ALTER TABLE ONLY public.party_talk
    ADD CONSTRAINT pk_party_talk PRIMARY KEY (party_id, number);
ALTER TABLE ONLY public.people_ratings
    ADD CONSTRAINT pk_people_ratings PRIMARY KEY (game, rules, account_id);
ALTER TABLE ONLY public.people_results
    ADD CONSTRAINT pk_people_results PRIMARY KEY (table_id);
ALTER TABLE ONLY public.places
    ADD CONSTRAINT pk_places PRIMARY KEY (table_id, account_id);
ALTER TABLE ONLY public.processes
    ADD CONSTRAINT pk_processes PRIMARY KEY (id);
ALTER TABLE ONLY public.pulses
    ADD CONSTRAINT pk_pulses PRIMARY KEY (process);
ALTER TABLE ONLY public.quotas
    ADD CONSTRAINT pk_quotas PRIMARY KEY (account_id, what);
ALTER TABLE ONLY public.receptions
    ADD CONSTRAINT pk_receptions PRIMARY KEY (id);
ALTER TABLE ONLY public.reports
    ADD CONSTRAINT pk_reports PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT pk_sessions PRIMARY KEY (id);
ALTER TABLE ONLY public.standings
    ADD CONSTRAINT pk_standings PRIMARY KEY (table_id);
ALTER TABLE ONLY public.talk
    ADD CONSTRAINT pk_talk PRIMARY KEY (table_id, number);
ALTER TABLE ONLY public.account_tokens
    ADD CONSTRAINT uq_account_tokens_hash UNIQUE (hash);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT uq_accounts_folded UNIQUE (folded);
ALTER TABLE ONLY public.bot_versions
    ADD CONSTRAINT uq_bot_versions_bot_id UNIQUE (bot_id, number);
ALTER TABLE ONLY public.bots
    ADD CONSTRAINT uq_bots_account_id UNIQUE (account_id, name);
ALTER TABLE ONLY public.bots
    ADD CONSTRAINT uq_bots_game UNIQUE (game, builtin);
ALTER TABLE ONLY public.group_tournament_games
    ADD CONSTRAINT uq_group_tournament_games_game_id UNIQUE (game_id);
ALTER TABLE ONLY public.groups
    ADD CONSTRAINT uq_groups_invite UNIQUE (invite);
ALTER TABLE ONLY public.ladder_seasons
    ADD CONSTRAINT uq_ladder_seasons_ladder_id UNIQUE (ladder_id, number);
ALTER TABLE ONLY public.ladder_workers
    ADD CONSTRAINT uq_ladder_workers_name UNIQUE (name);
ALTER TABLE ONLY public.ladder_workers
    ADD CONSTRAINT uq_ladder_workers_token UNIQUE (token);
ALTER TABLE ONLY public.ladders
    ADD CONSTRAINT uq_ladders_game UNIQUE (game, rules, circle);
CREATE INDEX ix_account_tokens_account_id ON public.account_tokens USING btree (account_id);
CREATE UNIQUE INDEX ix_accounts_looks ON public.accounts USING btree (looks);
CREATE INDEX ix_bot_notices_account_id ON public.bot_notices USING btree (account_id, id);
CREATE INDEX ix_bot_versions_digest ON public.bot_versions USING btree (digest);
CREATE INDEX ix_bots_game_state ON public.bots USING btree (game, state);
CREATE INDEX ix_bots_version_id ON public.bots USING btree (version_id);
CREATE INDEX ix_challenge_games_game_id ON public.challenge_games USING btree (game_id);
CREATE INDEX ix_challenges_account_id ON public.challenges USING btree (account_id, created);
CREATE INDEX ix_errands_done ON public.errands USING btree (done);
CREATE INDEX ix_game_tables_status ON public.game_tables USING btree (status);
CREATE INDEX ix_group_members_account_id ON public.group_members USING btree (account_id);
CREATE INDEX ix_group_news_group_id ON public.group_news USING btree (group_id, id);
CREATE INDEX ix_group_tournaments_group_id ON public.group_tournaments USING btree (group_id);
CREATE INDEX ix_group_tournaments_state ON public.group_tournaments USING btree (state);
CREATE INDEX ix_groups_lock_at ON public.groups USING btree (lock_at) WHERE (NOT settled);
CREATE INDEX ix_groups_organiser_id ON public.groups USING btree (organiser_id);
CREATE INDEX ix_groups_starts ON public.groups USING btree (starts);
CREATE INDEX ix_ladder_entries_bot_id ON public.ladder_entries USING btree (bot_id);
CREATE INDEX ix_ladder_fit_ratings_version_id ON public.ladder_fit_ratings USING btree (version_id, fit_id);
CREATE INDEX ix_ladder_fits_at ON public.ladder_fits USING btree (season_id, at);
CREATE INDEX ix_ladder_games_digest ON public.ladder_games USING btree (replay) WHERE (replay IS NOT NULL);
CREATE INDEX ix_ladder_games_done ON public.ladder_games USING btree (season_id, done, cause, counts);
CREATE INDEX ix_ladder_games_due ON public.ladder_games USING btree (season_id, id) WHERE ((state)::text <> 'done'::text);
CREATE INDEX ix_ladder_games_final ON public.ladder_games USING btree (season_id) WHERE ((stage)::text = 'final'::text);
CREATE INDEX ix_ladder_games_fingerprint ON public.ladder_games USING btree (fingerprint);
CREATE INDEX ix_ladder_games_leased ON public.ladder_games USING btree (expires) WHERE ((state)::text = 'leased'::text);
CREATE INDEX ix_ladder_games_replay ON public.ladder_games USING btree (done) WHERE (replay IS NOT NULL);
CREATE INDEX ix_ladder_games_season ON public.ladder_games USING btree (season_id, id);
CREATE INDEX ix_ladder_games_untaken ON public.ladder_games USING btree (season_id, id) WHERE (((state)::text = 'done'::text) AND (taken = 0));
CREATE INDEX ix_ladder_games_waiting ON public.ladder_games USING btree (priority, id) WHERE ((state)::text = 'waiting'::text);
CREATE INDEX ix_ladder_seats_bot_id ON public.ladder_seats USING btree (bot_id, game_id);
CREATE INDEX ix_ladder_seats_done ON public.ladder_seats USING btree (bot_id, done);
CREATE INDEX ix_ladder_seats_faults ON public.ladder_seats USING btree (bot_id, game_id) WHERE ((fault IS NOT NULL) OR (strikes > 0));
CREATE INDEX ix_ladder_seats_version_id ON public.ladder_seats USING btree (version_id, game_id);
CREATE INDEX ix_leases_owner ON public.leases USING btree (owner);
CREATE INDEX ix_parties_over ON public.parties USING btree (over);
CREATE INDEX ix_people_ratings_account_id ON public.people_ratings USING btree (account_id);
CREATE INDEX ix_people_results_untaken ON public.people_results USING btree (at) WHERE (taken = 0);
CREATE INDEX ix_places_account_id ON public.places USING btree (account_id);
CREATE INDEX ix_receptions_account_id ON public.receptions USING btree (account_id, id);
CREATE INDEX ix_receptions_bot_id ON public.receptions USING btree (bot_id, id);
CREATE INDEX ix_receptions_due ON public.receptions USING btree (place, id) WHERE ((state)::text <> 'done'::text);
CREATE INDEX ix_reports_done ON public.reports USING btree (done);
CREATE TRIGGER audit_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION public.polemos_append_only();
ALTER TABLE ONLY public.account_tokens
    ADD CONSTRAINT fk_account_tokens_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.acts
    ADD CONSTRAINT fk_acts_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.bot_notices
    ADD CONSTRAINT fk_bot_notices_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.bot_notices
    ADD CONSTRAINT fk_bot_notices_bot_id FOREIGN KEY (bot_id) REFERENCES public.bots(id);
ALTER TABLE ONLY public.bot_notices
    ADD CONSTRAINT fk_bot_notices_game_id FOREIGN KEY (game_id) REFERENCES public.ladder_games(id);
ALTER TABLE ONLY public.bot_versions
    ADD CONSTRAINT fk_bot_versions_bot_id FOREIGN KEY (bot_id) REFERENCES public.bots(id);
ALTER TABLE ONLY public.bots
    ADD CONSTRAINT fk_bots_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.challenge_games
    ADD CONSTRAINT fk_challenge_games_challenge_id FOREIGN KEY (challenge_id) REFERENCES public.challenges(id);
ALTER TABLE ONLY public.challenge_games
    ADD CONSTRAINT fk_challenge_games_game_id FOREIGN KEY (game_id) REFERENCES public.ladder_games(id);
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT fk_challenges_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT fk_challenges_ladder_id FOREIGN KEY (ladder_id) REFERENCES public.ladders(id);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT fk_drafts_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT fk_group_members_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT fk_group_members_group_id FOREIGN KEY (group_id) REFERENCES public.groups(id);
ALTER TABLE ONLY public.group_news
    ADD CONSTRAINT fk_group_news_group_id FOREIGN KEY (group_id) REFERENCES public.groups(id);
ALTER TABLE ONLY public.group_tournament_games
    ADD CONSTRAINT fk_group_tournament_games_game_id FOREIGN KEY (game_id) REFERENCES public.ladder_games(id);
ALTER TABLE ONLY public.group_tournament_games
    ADD CONSTRAINT fk_group_tournament_games_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.group_tournaments(id);
ALTER TABLE ONLY public.group_tournaments
    ADD CONSTRAINT fk_group_tournaments_group_id FOREIGN KEY (group_id) REFERENCES public.groups(id);
ALTER TABLE ONLY public.group_tournaments
    ADD CONSTRAINT fk_group_tournaments_ladder_id FOREIGN KEY (ladder_id) REFERENCES public.ladders(id);
ALTER TABLE ONLY public.groups
    ADD CONSTRAINT fk_groups_ladder_id FOREIGN KEY (ladder_id) REFERENCES public.ladders(id);
ALTER TABLE ONLY public.groups
    ADD CONSTRAINT fk_groups_organiser_id FOREIGN KEY (organiser_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.ladder_entries
    ADD CONSTRAINT fk_ladder_entries_bot_id FOREIGN KEY (bot_id) REFERENCES public.bots(id);
ALTER TABLE ONLY public.ladder_entries
    ADD CONSTRAINT fk_ladder_entries_ladder_id FOREIGN KEY (ladder_id) REFERENCES public.ladders(id);
ALTER TABLE ONLY public.ladder_entries
    ADD CONSTRAINT fk_ladder_entries_version_id FOREIGN KEY (version_id) REFERENCES public.bot_versions(id);
ALTER TABLE ONLY public.ladder_fit_ratings
    ADD CONSTRAINT fk_ladder_fit_ratings_bot_id FOREIGN KEY (bot_id) REFERENCES public.bots(id);
ALTER TABLE ONLY public.ladder_fit_ratings
    ADD CONSTRAINT fk_ladder_fit_ratings_fit_id FOREIGN KEY (fit_id) REFERENCES public.ladder_fits(id);
ALTER TABLE ONLY public.ladder_fit_ratings
    ADD CONSTRAINT fk_ladder_fit_ratings_version_id FOREIGN KEY (version_id) REFERENCES public.bot_versions(id);
ALTER TABLE ONLY public.ladder_fits
    ADD CONSTRAINT fk_ladder_fits_anchor_id FOREIGN KEY (anchor_id) REFERENCES public.bot_versions(id);
ALTER TABLE ONLY public.ladder_fits
    ADD CONSTRAINT fk_ladder_fits_season_id FOREIGN KEY (season_id) REFERENCES public.ladder_seasons(id);
ALTER TABLE ONLY public.ladder_games
    ADD CONSTRAINT fk_ladder_games_ladder_id FOREIGN KEY (ladder_id) REFERENCES public.ladders(id);
ALTER TABLE ONLY public.ladder_games
    ADD CONSTRAINT fk_ladder_games_season_id FOREIGN KEY (season_id) REFERENCES public.ladder_seasons(id);
ALTER TABLE ONLY public.ladder_games
    ADD CONSTRAINT fk_ladder_games_worker_id FOREIGN KEY (worker_id) REFERENCES public.ladder_workers(id);
ALTER TABLE ONLY public.ladder_pairs
    ADD CONSTRAINT fk_ladder_pairs_other_id FOREIGN KEY (other_id) REFERENCES public.bot_versions(id);
ALTER TABLE ONLY public.ladder_pairs
    ADD CONSTRAINT fk_ladder_pairs_season_id FOREIGN KEY (season_id) REFERENCES public.ladder_seasons(id);
ALTER TABLE ONLY public.ladder_pairs
    ADD CONSTRAINT fk_ladder_pairs_version_id FOREIGN KEY (version_id) REFERENCES public.bot_versions(id);
ALTER TABLE ONLY public.ladder_ratings
    ADD CONSTRAINT fk_ladder_ratings_bot_id FOREIGN KEY (bot_id) REFERENCES public.bots(id);
ALTER TABLE ONLY public.ladder_ratings
    ADD CONSTRAINT fk_ladder_ratings_season_id FOREIGN KEY (season_id) REFERENCES public.ladder_seasons(id);
ALTER TABLE ONLY public.ladder_ratings
    ADD CONSTRAINT fk_ladder_ratings_version_id FOREIGN KEY (version_id) REFERENCES public.bot_versions(id);
ALTER TABLE ONLY public.ladder_seasons
    ADD CONSTRAINT fk_ladder_seasons_ladder_id FOREIGN KEY (ladder_id) REFERENCES public.ladders(id);
ALTER TABLE ONLY public.ladder_seats
    ADD CONSTRAINT fk_ladder_seats_bot_id FOREIGN KEY (bot_id) REFERENCES public.bots(id);
ALTER TABLE ONLY public.ladder_seats
    ADD CONSTRAINT fk_ladder_seats_game_id FOREIGN KEY (game_id) REFERENCES public.ladder_games(id);
ALTER TABLE ONLY public.ladder_seats
    ADD CONSTRAINT fk_ladder_seats_version_id FOREIGN KEY (version_id) REFERENCES public.bot_versions(id);
ALTER TABLE ONLY public.ladder_tallies
    ADD CONSTRAINT fk_ladder_tallies_season_id FOREIGN KEY (season_id) REFERENCES public.ladder_seasons(id);
ALTER TABLE ONLY public.ladder_tallies
    ADD CONSTRAINT fk_ladder_tallies_version_id FOREIGN KEY (version_id) REFERENCES public.bot_versions(id);
ALTER TABLE ONLY public.ladders
    ADD CONSTRAINT fk_ladders_anchor_id FOREIGN KEY (anchor_id) REFERENCES public.bots(id);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT fk_leases_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT fk_notes_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.operators
    ADD CONSTRAINT fk_operators_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.party_journal
    ADD CONSTRAINT fk_party_journal_party_id FOREIGN KEY (party_id) REFERENCES public.parties(id);
ALTER TABLE ONLY public.party_links
    ADD CONSTRAINT fk_party_links_party_id FOREIGN KEY (party_id) REFERENCES public.parties(id);
ALTER TABLE ONLY public.party_talk
    ADD CONSTRAINT fk_party_talk_party_id FOREIGN KEY (party_id) REFERENCES public.parties(id);
ALTER TABLE ONLY public.people_ratings
    ADD CONSTRAINT fk_people_ratings_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.places
    ADD CONSTRAINT fk_places_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.receptions
    ADD CONSTRAINT fk_receptions_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.receptions
    ADD CONSTRAINT fk_receptions_bot_id FOREIGN KEY (bot_id) REFERENCES public.bots(id);
ALTER TABLE ONLY public.receptions
    ADD CONSTRAINT fk_receptions_version_id FOREIGN KEY (version_id) REFERENCES public.bot_versions(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT fk_sessions_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.standings
    ADD CONSTRAINT fk_standings_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.talk
    ADD CONSTRAINT fk_talk_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
