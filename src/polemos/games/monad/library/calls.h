/* Seats are numbers from 0 to 3. A tile is y times the width plus x. polemos_monad_set fills an order. The orders of all
   seats are one array, those of one seat in the order of its list. */

/* The edition of the rules, and the layout of polemos_monad_state: compare them with `edition` in hello and with
   `layout` next to a state. */
int polemos_monad_edition(void);
const char *polemos_monad_layout(void);
size_t polemos_monad_state_size(void);

/* Copies a state: only the part that its map uses, which is faster. */
void polemos_monad_copy(polemos_monad_state *to, const polemos_monad_state *from);

/* Fills an order of a seat: a word (POLEMOS_MONAD_MOVE, _BUILD, _MINE, _WORK), a place, a direction (0 to 3: up, right,
   down, left, or POLEMOS_MONAD_NO_DIRECTION) and a number of units. */
void polemos_monad_set(const polemos_monad_state *state, polemos_monad_order *order, int seat, int word, int x, int y,
                       int direction, int number);

/* Plays one turn with the orders of all seats, in place; those of seats that have forfeited are left out. Marks the
   faults of orders. Returns 0, or -1 if the game is over. */
int polemos_monad_resolve(polemos_monad_state *state, polemos_monad_order *orders, int count);

/* Marks the faults of the list of one seat: 0 means that an order is valid. */
void polemos_monad_judge(const polemos_monad_state *state, polemos_monad_order *orders, int count);

/* What a seat sees of a state: everything, and after the end the places. */
void polemos_monad_look(const polemos_monad_state *state, int who, polemos_monad_sight *sight);

/* Lists the legal orders that can be added to the list of the seat that looks, up to `room`, and returns how many.
   There are at most POLEMOS_MONAD_CHOICES_A_TILE for each tile. `free` is the greatest number of units. */
int polemos_monad_options(const polemos_monad_sight *sight, polemos_monad_order *orders, int count,
                          polemos_monad_choice *found, int room);

/* Writes random orders for all seats, and returns how many. `orders` must have room for two on each tile, and two. */
int polemos_monad_invent(const polemos_monad_state *state, polemos_monad_order *orders, uint64_t key);

/* Plays up to `turns` random turns, in place, and returns how many it played; it stops when the game is over. */
int polemos_monad_playout(polemos_monad_state *state, uint64_t key, int turns);

/* The seat that has won, POLEMOS_DRAW or POLEMOS_RUNNING. */
int polemos_monad_winner(const polemos_monad_state *state);

/* Writes an order as text, such as `move 3,4 up 2`. Returns its length, or -1 if it doesn't fit. */
int polemos_monad_write(const polemos_monad_state *state, const polemos_monad_order *order, char *text, size_t room);
