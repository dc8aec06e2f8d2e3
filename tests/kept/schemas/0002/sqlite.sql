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
	created FLOAT NOT NULL, 
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
