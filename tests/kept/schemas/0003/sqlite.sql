CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE accounts (
	id INTEGER NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	folded VARCHAR(80) NOT NULL, 
	password VARCHAR(200) NOT NULL, 
	created FLOAT NOT NULL, looks VARCHAR(120) DEFAULT '' NOT NULL, 
	CONSTRAINT pk_accounts PRIMARY KEY (id), 
	CONSTRAINT uq_accounts_folded UNIQUE (folded)
);
CREATE TABLE beats (
	id INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	CONSTRAINT pk_beats PRIMARY KEY (id)
);
CREATE TABLE game_tables (
	id VARCHAR(24) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	edition INTEGER NOT NULL, 
	wish BLOB NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	created FLOAT NOT NULL, 
	status VARCHAR(10) NOT NULL, 
	listed BOOLEAN NOT NULL, 
	CONSTRAINT pk_game_tables PRIMARY KEY (id)
);
CREATE INDEX ix_game_tables_status ON game_tables (status);
CREATE TABLE acts (
	table_id VARCHAR(24) NOT NULL, 
	number INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	body BLOB NOT NULL, 
	CONSTRAINT pk_acts PRIMARY KEY (table_id, number), 
	CONSTRAINT fk_acts_table_id FOREIGN KEY(table_id) REFERENCES game_tables (id)
);
CREATE TABLE drafts (
	table_id VARCHAR(24) NOT NULL, 
	seat VARCHAR(40) NOT NULL, 
	lines BLOB NOT NULL, 
	CONSTRAINT pk_drafts PRIMARY KEY (table_id, seat), 
	CONSTRAINT fk_drafts_table_id FOREIGN KEY(table_id) REFERENCES game_tables (id)
);
CREATE TABLE notes (
	table_id VARCHAR(24) NOT NULL, 
	seat VARCHAR(40) NOT NULL, 
	place VARCHAR(40) NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_notes PRIMARY KEY (table_id, seat, place), 
	CONSTRAINT fk_notes_table_id FOREIGN KEY(table_id) REFERENCES game_tables (id)
);
CREATE TABLE sessions (
	id VARCHAR(64) NOT NULL, 
	account_id INTEGER NOT NULL, 
	created FLOAT NOT NULL, address VARCHAR(50) DEFAULT '' NOT NULL, 
	CONSTRAINT pk_sessions PRIMARY KEY (id), 
	CONSTRAINT fk_sessions_account_id FOREIGN KEY(account_id) REFERENCES accounts (id)
);
CREATE TABLE talk (
	table_id VARCHAR(24) NOT NULL, 
	number INTEGER NOT NULL, 
	body BLOB NOT NULL, 
	CONSTRAINT pk_talk PRIMARY KEY (table_id, number), 
	CONSTRAINT fk_talk_table_id FOREIGN KEY(table_id) REFERENCES game_tables (id)
);
CREATE UNIQUE INDEX ix_accounts_looks ON accounts (looks);
CREATE TABLE processes (
	id VARCHAR(24) NOT NULL, 
	place VARCHAR(200) NOT NULL, 
	address VARCHAR(200) NOT NULL, 
	mark VARCHAR(64) NOT NULL, 
	began FLOAT NOT NULL, 
	renewed FLOAT NOT NULL, 
	expires FLOAT NOT NULL, 
	alive BOOLEAN NOT NULL, 
	CONSTRAINT pk_processes PRIMARY KEY (id)
);
CREATE TABLE leases (
	table_id VARCHAR(24) NOT NULL, 
	owner VARCHAR(24), 
	number INTEGER NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (table_id), 
	CONSTRAINT fk_leases_table_id FOREIGN KEY(table_id) REFERENCES game_tables (id)
);
CREATE INDEX ix_leases_owner ON leases (owner);
CREATE TABLE standings (
	table_id VARCHAR(24) NOT NULL, 
	owner VARCHAR(40) NOT NULL, 
	alone BOOLEAN NOT NULL, 
	at FLOAT NOT NULL, 
	asleep BOOLEAN NOT NULL, 
	card BLOB, 
	due BLOB, 
	body BLOB, 
	CONSTRAINT pk_standings PRIMARY KEY (table_id), 
	CONSTRAINT fk_standings_table_id FOREIGN KEY(table_id) REFERENCES game_tables (id)
);
CREATE TABLE places (
	table_id VARCHAR(24) NOT NULL, 
	account_id INTEGER NOT NULL, 
	CONSTRAINT pk_places PRIMARY KEY (table_id, account_id), 
	CONSTRAINT fk_places_table_id FOREIGN KEY(table_id) REFERENCES game_tables (id)
);
CREATE INDEX ix_places_account_id ON places (account_id);
CREATE TABLE operators (
	account_id INTEGER NOT NULL, 
	since FLOAT NOT NULL, 
	CONSTRAINT pk_operators PRIMARY KEY (account_id), 
	CONSTRAINT fk_operators_account_id FOREIGN KEY(account_id) REFERENCES accounts (id)
);
CREATE TABLE bans (
	id INTEGER NOT NULL, 
	kind VARCHAR(10) NOT NULL, 
	target VARCHAR(120) NOT NULL, 
	shown VARCHAR(120) NOT NULL, 
	why TEXT NOT NULL, 
	begun FLOAT NOT NULL, 
	until FLOAT, 
	lifted FLOAT, 
	CONSTRAINT pk_bans PRIMARY KEY (id)
);
CREATE TABLE quotas (
	account_id INTEGER NOT NULL, 
	what VARCHAR(20) NOT NULL, 
	most INTEGER NOT NULL, 
	CONSTRAINT pk_quotas PRIMARY KEY (account_id, what)
);
CREATE TABLE reports (
	id INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	table_id VARCHAR(24) NOT NULL, 
	"by" VARCHAR(60) NOT NULL, 
	about VARCHAR(10) NOT NULL, 
	target VARCHAR(60) NOT NULL, 
	address VARCHAR(50) NOT NULL, 
	text TEXT NOT NULL, 
	lines BLOB NOT NULL, 
	done FLOAT, 
	CONSTRAINT pk_reports PRIMARY KEY (id)
);
CREATE INDEX ix_reports_done ON reports (done);
CREATE TABLE notices (
	id INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	begun FLOAT NOT NULL, 
	until FLOAT NOT NULL, 
	CONSTRAINT pk_notices PRIMARY KEY (id)
);
CREATE TABLE errands (
	id INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	body BLOB NOT NULL, 
	done FLOAT, 
	result TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_errands PRIMARY KEY (id)
);
CREATE INDEX ix_errands_done ON errands (done);
CREATE TABLE pulses (
	process VARCHAR(24) NOT NULL, 
	at FLOAT NOT NULL, 
	body BLOB NOT NULL, 
	CONSTRAINT pk_pulses PRIMARY KEY (process)
);
CREATE TABLE audit (
	id INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	"by" VARCHAR(80) NOT NULL, 
	what VARCHAR(20) NOT NULL, 
	target VARCHAR(160) NOT NULL, 
	why TEXT NOT NULL, 
	CONSTRAINT pk_audit PRIMARY KEY (id)
);
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append only'); END;
CREATE TABLE ladder_workers (
	id INTEGER NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	why TEXT DEFAULT '' NOT NULL, 
	created FLOAT NOT NULL, 
	seen FLOAT NOT NULL, 
	games INTEGER DEFAULT 0 NOT NULL, 
	seats INTEGER DEFAULT 0 NOT NULL, 
	failures INTEGER DEFAULT 0 NOT NULL, 
	broken INTEGER DEFAULT 0 NOT NULL, 
	refused INTEGER DEFAULT 0 NOT NULL, 
	places INTEGER DEFAULT 0 NOT NULL, 
	token VARCHAR(64), 
	CONSTRAINT pk_ladder_workers PRIMARY KEY (id), 
	CONSTRAINT uq_ladder_workers_name UNIQUE (name), 
	CONSTRAINT uq_ladder_workers_token UNIQUE (token)
);
CREATE TABLE bots (
	id INTEGER NOT NULL, 
	account_id INTEGER, 
	game VARCHAR(40) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	builtin VARCHAR(40), 
	created FLOAT NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	paused_by VARCHAR(10) DEFAULT '' NOT NULL, 
	why TEXT DEFAULT '' NOT NULL, 
	changed FLOAT NOT NULL, 
	failed INTEGER DEFAULT 0 NOT NULL, 
	version_id INTEGER, 
	published INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_bots PRIMARY KEY (id), 
	CONSTRAINT fk_bots_account_id FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT uq_bots_account_id UNIQUE (account_id, name), 
	CONSTRAINT uq_bots_game UNIQUE (game, builtin)
);
CREATE INDEX ix_bots_game_state ON bots (game, state);
CREATE INDEX ix_bots_version_id ON bots (version_id);
CREATE TABLE bot_versions (
	id INTEGER NOT NULL, 
	bot_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	digest VARCHAR(64), 
	source VARCHAR(64) DEFAULT '' NOT NULL, 
	size INTEGER DEFAULT 0 NOT NULL, 
	dialect VARCHAR(40) DEFAULT '' NOT NULL, 
	language VARCHAR(40) DEFAULT '' NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	why TEXT DEFAULT '' NOT NULL, 
	bid INTEGER, 
	created FLOAT NOT NULL, 
	CONSTRAINT pk_bot_versions PRIMARY KEY (id), 
	CONSTRAINT fk_bot_versions_bot_id FOREIGN KEY(bot_id) REFERENCES bots (id), 
	CONSTRAINT uq_bot_versions_bot_id UNIQUE (bot_id, number)
);
CREATE INDEX ix_bot_versions_digest ON bot_versions (digest);
CREATE TABLE ladders (
	id INTEGER NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	rules VARCHAR(40) NOT NULL, 
	circle VARCHAR(24) DEFAULT '' NOT NULL, 
	title VARCHAR(80) NOT NULL, 
	options BLOB NOT NULL, 
	maps BLOB NOT NULL, 
	seats INTEGER NOT NULL, 
	bids BOOLEAN NOT NULL, 
	budget BLOB NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	season_seconds FLOAT NOT NULL, 
	final_meetings INTEGER NOT NULL, 
	created FLOAT NOT NULL, 
	meetings INTEGER DEFAULT 0 NOT NULL, 
	anchor_id INTEGER, 
	CONSTRAINT pk_ladders PRIMARY KEY (id), 
	CONSTRAINT fk_ladders_anchor_id FOREIGN KEY(anchor_id) REFERENCES bots (id), 
	CONSTRAINT uq_ladders_game UNIQUE (game, rules, circle)
);
CREATE TABLE ladder_entries (
	ladder_id INTEGER NOT NULL, 
	bot_id INTEGER NOT NULL, 
	entered FLOAT NOT NULL, 
	version_id INTEGER, 
	CONSTRAINT pk_ladder_entries PRIMARY KEY (ladder_id, bot_id), 
	CONSTRAINT fk_ladder_entries_bot_id FOREIGN KEY(bot_id) REFERENCES bots (id), 
	CONSTRAINT fk_ladder_entries_ladder_id FOREIGN KEY(ladder_id) REFERENCES ladders (id), 
	CONSTRAINT fk_ladder_entries_version_id FOREIGN KEY(version_id) REFERENCES bot_versions (id)
);
CREATE INDEX ix_ladder_entries_bot_id ON ladder_entries (bot_id);
CREATE TABLE ladder_seasons (
	id INTEGER NOT NULL, 
	ladder_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	phase VARCHAR(10) NOT NULL, 
	begun FLOAT NOT NULL, 
	ends FLOAT NOT NULL, 
	ended FLOAT, 
	rated_to INTEGER DEFAULT 0 NOT NULL, 
	fit_id INTEGER, 
	CONSTRAINT pk_ladder_seasons PRIMARY KEY (id), 
	CONSTRAINT fk_ladder_seasons_ladder_id FOREIGN KEY(ladder_id) REFERENCES ladders (id), 
	CONSTRAINT uq_ladder_seasons_ladder_id UNIQUE (ladder_id, number)
);
CREATE TABLE ladder_fits (
	id INTEGER NOT NULL, 
	season_id INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	games INTEGER NOT NULL, 
	anchor_id INTEGER, 
	CONSTRAINT pk_ladder_fits PRIMARY KEY (id), 
	CONSTRAINT fk_ladder_fits_anchor_id FOREIGN KEY(anchor_id) REFERENCES bot_versions (id), 
	CONSTRAINT fk_ladder_fits_season_id FOREIGN KEY(season_id) REFERENCES ladder_seasons (id)
);
CREATE INDEX ix_ladder_fits_at ON ladder_fits (season_id, at);
CREATE TABLE ladder_games (
	id INTEGER NOT NULL, 
	ladder_id INTEGER NOT NULL, 
	season_id INTEGER NOT NULL, 
	meeting INTEGER NOT NULL, 
	turn INTEGER NOT NULL, 
	seed VARCHAR(64) NOT NULL, 
	bot_seed VARCHAR(64) NOT NULL, 
	map VARCHAR(80) NOT NULL, 
	options BLOB NOT NULL, 
	why VARCHAR(120) NOT NULL, 
	stage VARCHAR(10) NOT NULL, 
	priority INTEGER NOT NULL, 
	counts BOOLEAN NOT NULL, 
	seating VARCHAR(120) NOT NULL, 
	created FLOAT NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	lease INTEGER DEFAULT 0 NOT NULL, 
	begun FLOAT, 
	expires FLOAT, 
	lost INTEGER DEFAULT 0 NOT NULL, 
	trouble TEXT DEFAULT '' NOT NULL, 
	worker_id INTEGER, 
	done FLOAT, 
	cause VARCHAR(12) DEFAULT '' NOT NULL, 
	ranks VARCHAR(40) DEFAULT '' NOT NULL, 
	reason TEXT DEFAULT '' NOT NULL, 
	rule VARCHAR(20) DEFAULT '' NOT NULL, 
	steps INTEGER DEFAULT 0 NOT NULL, 
	fingerprint VARCHAR(32) DEFAULT '' NOT NULL, 
	replay VARCHAR(32), 
	faulty INTEGER DEFAULT 0 NOT NULL, 
	seconds FLOAT DEFAULT 0 NOT NULL, 
	taken INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_ladder_games PRIMARY KEY (id), 
	CONSTRAINT fk_ladder_games_ladder_id FOREIGN KEY(ladder_id) REFERENCES ladders (id), 
	CONSTRAINT fk_ladder_games_season_id FOREIGN KEY(season_id) REFERENCES ladder_seasons (id), 
	CONSTRAINT fk_ladder_games_worker_id FOREIGN KEY(worker_id) REFERENCES ladder_workers (id)
);
CREATE INDEX ix_ladder_games_digest ON ladder_games (replay) WHERE replay IS NOT NULL;
CREATE INDEX ix_ladder_games_done ON ladder_games (season_id, done, cause, counts);
CREATE INDEX ix_ladder_games_due ON ladder_games (season_id, id) WHERE state <> 'done';
CREATE INDEX ix_ladder_games_final ON ladder_games (season_id) WHERE stage = 'final';
CREATE INDEX ix_ladder_games_fingerprint ON ladder_games (fingerprint);
CREATE INDEX ix_ladder_games_leased ON ladder_games (expires) WHERE state = 'leased';
CREATE INDEX ix_ladder_games_replay ON ladder_games (done) WHERE replay IS NOT NULL;
CREATE INDEX ix_ladder_games_season ON ladder_games (season_id, id);
CREATE INDEX ix_ladder_games_untaken ON ladder_games (season_id, id) WHERE state = 'done' AND taken = 0;
CREATE INDEX ix_ladder_games_waiting ON ladder_games (priority, id) WHERE state = 'waiting';
CREATE TABLE ladder_pairs (
	season_id INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	other_id INTEGER NOT NULL, 
	map VARCHAR(80) NOT NULL, 
	games INTEGER DEFAULT 0 NOT NULL, 
	wins INTEGER DEFAULT 0 NOT NULL, 
	draws INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_ladder_pairs PRIMARY KEY (season_id, version_id, other_id, map), 
	CONSTRAINT fk_ladder_pairs_other_id FOREIGN KEY(other_id) REFERENCES bot_versions (id), 
	CONSTRAINT fk_ladder_pairs_season_id FOREIGN KEY(season_id) REFERENCES ladder_seasons (id), 
	CONSTRAINT fk_ladder_pairs_version_id FOREIGN KEY(version_id) REFERENCES bot_versions (id)
);
CREATE TABLE ladder_ratings (
	season_id INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	bot_id INTEGER NOT NULL, 
	base_mu FLOAT NOT NULL, 
	base_sigma FLOAT NOT NULL, 
	base_games INTEGER DEFAULT 0 NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	games INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_ladder_ratings PRIMARY KEY (season_id, version_id), 
	CONSTRAINT fk_ladder_ratings_bot_id FOREIGN KEY(bot_id) REFERENCES bots (id), 
	CONSTRAINT fk_ladder_ratings_season_id FOREIGN KEY(season_id) REFERENCES ladder_seasons (id), 
	CONSTRAINT fk_ladder_ratings_version_id FOREIGN KEY(version_id) REFERENCES bot_versions (id)
);
CREATE TABLE ladder_tallies (
	season_id INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	games INTEGER DEFAULT 0 NOT NULL, 
	wins INTEGER DEFAULT 0 NOT NULL, 
	draws INTEGER DEFAULT 0 NOT NULL, 
	faults INTEGER DEFAULT 0 NOT NULL, 
	strikes INTEGER DEFAULT 0 NOT NULL, 
	void_lines INTEGER DEFAULT 0 NOT NULL, 
	cpu FLOAT DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_ladder_tallies PRIMARY KEY (season_id, version_id), 
	CONSTRAINT fk_ladder_tallies_season_id FOREIGN KEY(season_id) REFERENCES ladder_seasons (id), 
	CONSTRAINT fk_ladder_tallies_version_id FOREIGN KEY(version_id) REFERENCES bot_versions (id)
);
CREATE TABLE bot_notices (
	id INTEGER NOT NULL, 
	account_id INTEGER, 
	bot_id INTEGER, 
	at FLOAT NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	text TEXT NOT NULL, 
	game_id INTEGER, 
	seen INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_bot_notices PRIMARY KEY (id), 
	CONSTRAINT fk_bot_notices_account_id FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_bot_notices_bot_id FOREIGN KEY(bot_id) REFERENCES bots (id), 
	CONSTRAINT fk_bot_notices_game_id FOREIGN KEY(game_id) REFERENCES ladder_games (id)
);
CREATE INDEX ix_bot_notices_account_id ON bot_notices (account_id, id);
CREATE TABLE ladder_fit_ratings (
	fit_id INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	bot_id INTEGER NOT NULL, 
	elo FLOAT NOT NULL, 
	margin FLOAT NOT NULL, 
	games INTEGER DEFAULT 0 NOT NULL, 
	listed BOOLEAN NOT NULL, 
	placing BOOLEAN NOT NULL, 
	rank_from INTEGER, 
	rank_to INTEGER, 
	band INTEGER, 
	doubt_from INTEGER, 
	doubt_to INTEGER, 
	mu FLOAT, 
	CONSTRAINT pk_ladder_fit_ratings PRIMARY KEY (fit_id, version_id), 
	CONSTRAINT fk_ladder_fit_ratings_bot_id FOREIGN KEY(bot_id) REFERENCES bots (id), 
	CONSTRAINT fk_ladder_fit_ratings_fit_id FOREIGN KEY(fit_id) REFERENCES ladder_fits (id), 
	CONSTRAINT fk_ladder_fit_ratings_version_id FOREIGN KEY(version_id) REFERENCES bot_versions (id)
);
CREATE INDEX ix_ladder_fit_ratings_version_id ON ladder_fit_ratings (version_id, fit_id);
CREATE TABLE ladder_seats (
	game_id INTEGER NOT NULL, 
	entry INTEGER NOT NULL, 
	bot_id INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	seat INTEGER, 
	rank INTEGER, 
	points FLOAT, 
	fault TEXT, 
	strikes INTEGER DEFAULT 0 NOT NULL, 
	void_lines INTEGER DEFAULT 0 NOT NULL, 
	cpu FLOAT DEFAULT 0 NOT NULL, 
	wall FLOAT DEFAULT 0 NOT NULL, 
	slowest FLOAT DEFAULT 0 NOT NULL, 
	done FLOAT, 
	CONSTRAINT pk_ladder_seats PRIMARY KEY (game_id, entry), 
	CONSTRAINT fk_ladder_seats_bot_id FOREIGN KEY(bot_id) REFERENCES bots (id), 
	CONSTRAINT fk_ladder_seats_game_id FOREIGN KEY(game_id) REFERENCES ladder_games (id), 
	CONSTRAINT fk_ladder_seats_version_id FOREIGN KEY(version_id) REFERENCES bot_versions (id)
);
CREATE INDEX ix_ladder_seats_bot_id ON ladder_seats (bot_id, game_id);
CREATE INDEX ix_ladder_seats_done ON ladder_seats (bot_id, done);
CREATE INDEX ix_ladder_seats_faults ON ladder_seats (bot_id, game_id) WHERE fault IS NOT NULL OR strikes > 0;
CREATE INDEX ix_ladder_seats_version_id ON ladder_seats (version_id, game_id);
CREATE TABLE ladder_duty (
	id INTEGER NOT NULL, 
	holder VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	expires FLOAT NOT NULL, 
	CONSTRAINT pk_ladder_duty PRIMARY KEY (id)
);
CREATE TABLE ladder_loads (
	at FLOAT NOT NULL, 
	waiting INTEGER NOT NULL, 
	leased INTEGER NOT NULL, 
	CONSTRAINT pk_ladder_loads PRIMARY KEY (at)
);
CREATE TABLE account_tokens (
	id INTEGER NOT NULL, 
	account_id INTEGER NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	created FLOAT NOT NULL, 
	used FLOAT, 
	CONSTRAINT pk_account_tokens PRIMARY KEY (id), 
	CONSTRAINT fk_account_tokens_account_id FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT uq_account_tokens_hash UNIQUE (hash)
);
CREATE INDEX ix_account_tokens_account_id ON account_tokens (account_id);
CREATE TABLE receptions (
	id INTEGER NOT NULL, 
	account_id INTEGER NOT NULL, 
	place VARCHAR(32) NOT NULL, 
	called VARCHAR(200) NOT NULL, 
	size INTEGER DEFAULT 0 NOT NULL, 
	game VARCHAR(40), 
	bot_id INTEGER, 
	version_id INTEGER, 
	created FLOAT NOT NULL, 
	ended FLOAT, 
	state VARCHAR(10) NOT NULL, 
	"end" VARCHAR(12) DEFAULT '' NOT NULL, 
	lease INTEGER DEFAULT 0 NOT NULL, 
	expires FLOAT, 
	failed INTEGER DEFAULT 0 NOT NULL, 
	changes INTEGER DEFAULT 0 NOT NULL, 
	progress BLOB DEFAULT '' NOT NULL, 
	CONSTRAINT pk_receptions PRIMARY KEY (id), 
	CONSTRAINT fk_receptions_account_id FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_receptions_bot_id FOREIGN KEY(bot_id) REFERENCES bots (id), 
	CONSTRAINT fk_receptions_version_id FOREIGN KEY(version_id) REFERENCES bot_versions (id)
);
CREATE INDEX ix_receptions_account_id ON receptions (account_id, id);
CREATE INDEX ix_receptions_bot_id ON receptions (bot_id, id);
CREATE INDEX ix_receptions_due ON receptions (place, id) WHERE state <> 'done';
CREATE TABLE challenges (
	id INTEGER NOT NULL, 
	ladder_id INTEGER NOT NULL, 
	account_id INTEGER NOT NULL, 
	created FLOAT NOT NULL, 
	map VARCHAR(80) NOT NULL, 
	games INTEGER NOT NULL, 
	counts BOOLEAN NOT NULL, 
	CONSTRAINT pk_challenges PRIMARY KEY (id), 
	CONSTRAINT fk_challenges_account_id FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_challenges_ladder_id FOREIGN KEY(ladder_id) REFERENCES ladders (id)
);
CREATE INDEX ix_challenges_account_id ON challenges (account_id, created);
CREATE TABLE groups (
	id VARCHAR(24) NOT NULL, 
	name VARCHAR(60) NOT NULL, 
	kind VARCHAR(12) NOT NULL, 
	organiser_id INTEGER NOT NULL, 
	ladder_id INTEGER NOT NULL, 
	invite VARCHAR(24) NOT NULL, 
	asks BOOLEAN NOT NULL, 
	logs VARCHAR(10) NOT NULL, 
	created FLOAT NOT NULL, 
	sign_up FLOAT, 
	lock_at FLOAT, 
	locked FLOAT, 
	settled BOOLEAN NOT NULL, 
	system VARCHAR(12) NOT NULL, 
	rounds INTEGER, 
	games INTEGER NOT NULL, 
	maps INTEGER NOT NULL, 
	starts FLOAT, 
	CONSTRAINT pk_groups PRIMARY KEY (id), 
	CONSTRAINT fk_groups_ladder_id FOREIGN KEY(ladder_id) REFERENCES ladders (id), 
	CONSTRAINT fk_groups_organiser_id FOREIGN KEY(organiser_id) REFERENCES accounts (id), 
	CONSTRAINT uq_groups_invite UNIQUE (invite)
);
CREATE INDEX ix_groups_lock_at ON groups (lock_at) WHERE NOT settled;
CREATE INDEX ix_groups_organiser_id ON groups (organiser_id);
CREATE INDEX ix_groups_starts ON groups (starts);
CREATE TABLE group_members (
	group_id VARCHAR(24) NOT NULL, 
	account_id INTEGER NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	since FLOAT NOT NULL, 
	logs VARCHAR(10) NOT NULL, 
	extra FLOAT DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_group_members PRIMARY KEY (group_id, account_id), 
	CONSTRAINT fk_group_members_account_id FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_group_members_group_id FOREIGN KEY(group_id) REFERENCES groups (id)
);
CREATE INDEX ix_group_members_account_id ON group_members (account_id);
CREATE TABLE group_news (
	id INTEGER NOT NULL, 
	group_id VARCHAR(24) NOT NULL, 
	at FLOAT NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_group_news PRIMARY KEY (id), 
	CONSTRAINT fk_group_news_group_id FOREIGN KEY(group_id) REFERENCES groups (id)
);
CREATE INDEX ix_group_news_group_id ON group_news (group_id, id);
CREATE TABLE group_tournaments (
	id INTEGER NOT NULL, 
	group_id VARCHAR(24) NOT NULL, 
	ladder_id INTEGER NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	"plan" BLOB NOT NULL, 
	versions BLOB NOT NULL, 
	maps BLOB NOT NULL, 
	begun FLOAT NOT NULL, 
	ended FLOAT, 
	CONSTRAINT pk_group_tournaments PRIMARY KEY (id), 
	CONSTRAINT fk_group_tournaments_group_id FOREIGN KEY(group_id) REFERENCES groups (id), 
	CONSTRAINT fk_group_tournaments_ladder_id FOREIGN KEY(ladder_id) REFERENCES ladders (id)
);
CREATE INDEX ix_group_tournaments_group_id ON group_tournaments (group_id);
CREATE INDEX ix_group_tournaments_state ON group_tournaments (state);
CREATE TABLE challenge_games (
	challenge_id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	CONSTRAINT pk_challenge_games PRIMARY KEY (challenge_id, game_id), 
	CONSTRAINT fk_challenge_games_challenge_id FOREIGN KEY(challenge_id) REFERENCES challenges (id), 
	CONSTRAINT fk_challenge_games_game_id FOREIGN KEY(game_id) REFERENCES ladder_games (id)
);
CREATE INDEX ix_challenge_games_game_id ON challenge_games (game_id);
CREATE TABLE group_tournament_games (
	tournament_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	meeting INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	seating VARCHAR(120) NOT NULL, 
	CONSTRAINT pk_group_tournament_games PRIMARY KEY (tournament_id, number), 
	CONSTRAINT fk_group_tournament_games_game_id FOREIGN KEY(game_id) REFERENCES ladder_games (id), 
	CONSTRAINT fk_group_tournament_games_tournament_id FOREIGN KEY(tournament_id) REFERENCES group_tournaments (id), 
	CONSTRAINT uq_group_tournament_games_game_id UNIQUE (game_id)
);
CREATE TABLE people_results (
	table_id VARCHAR(24) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	rules VARCHAR(40) NOT NULL, 
	at FLOAT NOT NULL, 
	people VARCHAR(120) NOT NULL, 
	ranks VARCHAR(40) NOT NULL, 
	taken INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_people_results PRIMARY KEY (table_id)
);
CREATE INDEX ix_people_results_untaken ON people_results (at) WHERE taken = 0;
CREATE TABLE people_ratings (
	game VARCHAR(40) NOT NULL, 
	rules VARCHAR(40) NOT NULL, 
	account_id INTEGER NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	games INTEGER DEFAULT 0 NOT NULL, 
	wins INTEGER DEFAULT 0 NOT NULL, 
	draws INTEGER DEFAULT 0 NOT NULL, 
	last FLOAT NOT NULL, 
	CONSTRAINT pk_people_ratings PRIMARY KEY (game, rules, account_id), 
	CONSTRAINT fk_people_ratings_account_id FOREIGN KEY(account_id) REFERENCES accounts (id)
);
CREATE INDEX ix_people_ratings_account_id ON people_ratings (account_id);
