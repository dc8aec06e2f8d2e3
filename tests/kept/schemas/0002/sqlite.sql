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
