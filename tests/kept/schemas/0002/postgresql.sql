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
CREATE TABLE public.notes (
    table_id character varying(24) NOT NULL,
    seat character varying(40) NOT NULL,
    place character varying(40) NOT NULL,
    text text NOT NULL
);
CREATE TABLE public.sessions (
    id character varying(64) NOT NULL,
    account_id bigint NOT NULL,
    created double precision NOT NULL
);
CREATE TABLE public.talk (
    table_id character varying(24) NOT NULL,
    number integer NOT NULL,
    body bytea NOT NULL
);
ALTER TABLE ONLY public.accounts ALTER COLUMN id SET DEFAULT nextval('public.accounts_id_seq'::regclass);
ALTER TABLE ONLY public.beats ALTER COLUMN id SET DEFAULT nextval('public.beats_id_seq'::regclass);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT pk_accounts PRIMARY KEY (id);
ALTER TABLE ONLY public.acts
    ADD CONSTRAINT pk_acts PRIMARY KEY (table_id, number);
ALTER TABLE ONLY public.beats
    ADD CONSTRAINT pk_beats PRIMARY KEY (id);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT pk_drafts PRIMARY KEY (table_id, seat);
ALTER TABLE ONLY public.game_tables
    ADD CONSTRAINT pk_game_tables PRIMARY KEY (id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT pk_notes PRIMARY KEY (table_id, seat, place);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT pk_sessions PRIMARY KEY (id);
ALTER TABLE ONLY public.talk
    ADD CONSTRAINT pk_talk PRIMARY KEY (table_id, number);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT uq_accounts_folded UNIQUE (folded);
CREATE UNIQUE INDEX ix_accounts_looks ON public.accounts USING btree (looks);
CREATE INDEX ix_game_tables_status ON public.game_tables USING btree (status);
ALTER TABLE ONLY public.acts
    ADD CONSTRAINT fk_acts_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT fk_drafts_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT fk_notes_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT fk_sessions_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.talk
    ADD CONSTRAINT fk_talk_table_id FOREIGN KEY (table_id) REFERENCES public.game_tables(id);
