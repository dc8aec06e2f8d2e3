/* Sides are 0 (yellow) and 1 (blue), boards count from 0, hexes are rank times ten plus file. Orders take effect at
   once, one after the other. polemos_minions_set makes an order of a choice. */

/* The edition of the rules, and the layout of polemos_minions_state: compare them with `edition` in hello and with
   `layout` next to a state. */
int polemos_minions_edition(void);
const char *polemos_minions_layout(void);
size_t polemos_minions_state_size(void);

/* Copies a state: only the boards in use, which is faster. */
void polemos_minions_copy(polemos_minions_state *to, const polemos_minions_state *from);

/* Carries out one order of the side to move, in place. Returns 0, or the paragraph that forbids it (506 is 5.6); then
   nothing has changed. */
int polemos_minions_apply(polemos_minions_state *state, const polemos_minions_order *order);

/* Ends the turn of the side to move, in place. Returns 0, or -1 if the game is over. */
int polemos_minions_end(polemos_minions_state *state);

/* Plays a whole turn, in place: orders up to an `end` or to the last one, then the end of the turn. Orders that are
   refused are left out; after POLEMOS_MINIONS_MAX_REFUSED of them so is the rest. Returns 0, or -1 if the game is
   over. */
int polemos_minions_resolve(polemos_minions_state *state, const polemos_minions_order *orders, int count);

/* What a side sees of a state: everything, and what each board would pay. */
void polemos_minions_look(const polemos_minions_state *state, int who, polemos_minions_sight *sight);

/* Lists the legal single orders of the side to move on a board, resigning it last, or with board -1 those beside the
   boards: spells, and `end`. Lists up to `room` and returns how many; POLEMOS_MINIONS_MAX_CHOICES are enough. */
int polemos_minions_options(const polemos_minions_state *state, int board, polemos_minions_choice *found, int room);

/* Makes the order that a choice stands for. */
void polemos_minions_set(polemos_minions_order *order, int board, const polemos_minions_choice *choice);

/* Gives random orders for the whole turn of the side to move, in place, and returns how many. Does not end the turn. */
int polemos_minions_random_turn(polemos_minions_state *state, uint64_t key);

/* Plays up to `turns` random turns (of either side), in place, and returns how many it played; it stops when the game is
   over. Begin at the start of a turn. */
int polemos_minions_playout(polemos_minions_state *state, uint64_t key, int turns);

/* The side that has won, POLEMOS_DRAW or POLEMOS_RUNNING. */
int polemos_minions_winner(const polemos_minions_state *state);

/* Writes an order as text, such as `1 move d4-e4`. Returns its length, or -1 if it doesn't fit. */
int polemos_minions_write(const polemos_minions_state *state, const polemos_minions_order *order, char *text,
                          size_t room);
