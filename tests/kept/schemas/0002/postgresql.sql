CREATE FUNCTION public.polemos_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'the audit log is append only'; END $$;
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
ALTER TABLE ONLY public.accounts ALTER COLUMN id SET DEFAULT nextval('public.accounts_id_seq'::regclass);
ALTER TABLE ONLY public.audit ALTER COLUMN id SET DEFAULT nextval('public.audit_id_seq'::regclass);
ALTER TABLE ONLY public.bans ALTER COLUMN id SET DEFAULT nextval('public.bans_id_seq'::regclass);
ALTER TABLE ONLY public.beats ALTER COLUMN id SET DEFAULT nextval('public.beats_id_seq'::regclass);
ALTER TABLE ONLY public.errands ALTER COLUMN id SET DEFAULT nextval('public.errands_id_seq'::regclass);
ALTER TABLE ONLY public.notices ALTER COLUMN id SET DEFAULT nextval('public.notices_id_seq'::regclass);
ALTER TABLE ONLY public.reports ALTER COLUMN id SET DEFAULT nextval('public.reports_id_seq'::regclass);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
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
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT pk_drafts PRIMARY KEY (table_id, seat);
ALTER TABLE ONLY public.errands
    ADD CONSTRAINT pk_errands PRIMARY KEY (id);
ALTER TABLE ONLY public.game_tables
    ADD CONSTRAINT pk_game_tables PRIMARY KEY (id);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT pk_leases PRIMARY KEY (table_id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT pk_notes PRIMARY KEY (table_id, seat, place);
ALTER TABLE ONLY public.notices
    ADD CONSTRAINT pk_notices PRIMARY KEY (id);
ALTER TABLE ONLY public.operators
    ADD CONSTRAINT pk_operators PRIMARY KEY (account_id);
ALTER TABLE ONLY public.places
    ADD CONSTRAINT pk_places PRIMARY KEY (table_id, account_id);
ALTER TABLE ONLY public.processes
    ADD CONSTRAINT pk_processes PRIMARY KEY (id);
ALTER TABLE ONLY public.pulses
    ADD CONSTRAINT pk_pulses PRIMARY KEY (process);
ALTER TABLE ONLY public.quotas
    ADD CONSTRAINT pk_quotas PRIMARY KEY (account_id, what);
ALTER TABLE ONLY public.reports
    ADD CONSTRAINT pk_reports PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT pk_sessions PRIMARY KEY (id);
ALTER TABLE ONLY public.standings
    ADD CONSTRAINT pk_standings PRIMARY KEY (table_id);
ALTER TABLE ONLY public.talk
    ADD CONSTRAINT pk_talk PRIMARY KEY (table_id, number);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT uq_accounts_folded UNIQUE (folded);
CREATE UNIQUE INDEX ix_accounts_looks ON public.accounts USING btree (looks);
CREATE INDEX ix_errands_done ON public.errands USING btree (done);
CREATE INDEX ix_game_tables_status ON public.game_tables USING btree (status);
CREATE INDEX ix_leases_owner ON public.leases USING btree (owner);
CREATE INDEX ix_places_account_id ON public.places USING btree (account_id);
CREATE INDEX ix_reports_done ON public.reports USING btree (done);
CREATE TRIGGER audit_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION public.polemos_append_only();
ALTER TABLE ONLY public.acts
    ADD CONSTRAINT fk_acts_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT fk_drafts_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT fk_leases_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT fk_notes_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.operators
    ADD CONSTRAINT fk_operators_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.places
    ADD CONSTRAINT fk_places_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT fk_sessions_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.standings
    ADD CONSTRAINT fk_standings_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.talk
    ADD CONSTRAINT fk_talk_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
