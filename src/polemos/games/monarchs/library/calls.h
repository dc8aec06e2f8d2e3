/* Hexes are numbers from 0 to 60 (POLEMOS_MONARCHS_HEX_NAMES), nations from 0 to 2. Set the kind, origin, target and
   number of a line (of a blessing only its target), and leave its fault at 0. */

/* The edition of the rules, and the layout of polemos_monarchs_state: compare them with `edition` in hello and with
   `layout` next to a state. */
int polemos_monarchs_edition(void);
const char *polemos_monarchs_layout(void);
size_t polemos_monarchs_state_size(void);

/* Plays one turn with the sheets of all nations, in place. A nation without orders has a sheet with count 0. The same
   key and salt give the same dice. Marks the faults of lines. Returns 0, or -1 if the game is over. */
int polemos_monarchs_resolve(polemos_monarchs_state *state, polemos_monarchs_sheets *sheets, uint64_t key,
                             uint64_t salt);

/* Marks the faults of one sheet: 0 means that a line is valid. */
void polemos_monarchs_judge(const polemos_monarchs_state *state, int nation, polemos_monarchs_sheet *sheet);

/* What a nation sees of a state (or POLEMOS_MONARCHS_SPECTATOR_EYES, POLEMOS_MONARCHS_UMPIRE_EYES). */
void polemos_monarchs_look(const polemos_monarchs_state *state, int who, polemos_monarchs_sight *sight);

/* Lists the legal lines that can be added to a draft, and returns how many there are. `found` must have room for
   POLEMOS_MONARCHS_MAX_CHOICES. A march can have any number from 1 to `most`. */
int polemos_monarchs_options(const polemos_monarchs_sight *sight, polemos_monarchs_sheet *draft,
                             polemos_monarchs_choice *found);

/* Writes random sheets for all nations: a blessing, and marches of about half of the armies. */
void polemos_monarchs_invent(const polemos_monarchs_state *state, polemos_monarchs_sheets *sheets, uint64_t key);

/* Plays up to `turns` random turns, in place, and returns how many it played; it stops when the game is over. */
int polemos_monarchs_playout(polemos_monarchs_state *state, uint64_t key, int turns);

/* The nation that has won, or POLEMOS_RUNNING. The order of all three is in `places` of the state. */
int polemos_monarchs_winner(const polemos_monarchs_state *state);

/* Writes a line as the text of an order, such as `G5-H4 2`. Returns its length, or -1 if it doesn't fit. */
int polemos_monarchs_write(const polemos_monarchs_line *line, char *text, size_t room);
