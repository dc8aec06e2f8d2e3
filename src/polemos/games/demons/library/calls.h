/* Players are 0 (red) and 1 (blue). Tiles are numbers; polemos_demons_tile_at finds them. Directions are 0 to 3: N, E, S,
   W. An order holds the wishes of one player for a turn: begin with polemos_demons_clear, and add lines with
   polemos_demons_add or one by one, counting them in `lines`. */

/* The edition of the rules, and the layout of polemos_demons_state: compare them with `edition` in hello and with
   `layout` next to a state. */
int polemos_demons_edition(void);
const char *polemos_demons_layout(void);
size_t polemos_demons_state_size(void);

/* Copies a state: only the part that its map uses, which is faster. */
void polemos_demons_copy(polemos_demons_state *to, const polemos_demons_state *from);

/* The number of the tile at x, y, or -2 if there is none. */
int polemos_demons_tile_at(const polemos_demons_state *state, int x, int y);

/* No wishes at all. */
void polemos_demons_clear(polemos_demons_order *order);

/* Adds a legal line, as polemos_demons_options lists it. */
void polemos_demons_add(const polemos_demons_state *state, polemos_demons_order *order,
                        const polemos_demons_choice *choice);

/* Plays one step (a turn, or half of one if players decide twice) with the orders of both players, in place. The same
   key and salt give the same dice. Returns 0, or -1 if the game is over or waits for a coin. */
int polemos_demons_resolve(polemos_demons_state *state, polemos_demons_orders *orders, uint64_t key, uint64_t salt);

/* Marks the faults of the parts of an order, and their prices; returns the gold that is left. */
int polemos_demons_judge(const polemos_demons_state *state, int player, polemos_demons_order *order);

/* What a player sees of a state: everything, and when portals release the next demons. */
void polemos_demons_look(const polemos_demons_state *state, int who, polemos_demons_sight *sight);

/* Lists the legal lines that can be added to a draft, and returns how many there are. `found` must have room for
   POLEMOS_DEMONS_MAX_CHOICES. */
int polemos_demons_options(const polemos_demons_sight *sight, polemos_demons_order *draft,
                           polemos_demons_choice *found);

/* Writes random orders for both players; many of them are void. */
void polemos_demons_invent(const polemos_demons_state *state, polemos_demons_orders *orders, uint64_t key);

/* Plays up to `steps` random steps, in place, and returns how many it played; it stops when the game is over. */
int polemos_demons_playout(polemos_demons_state *state, uint64_t key, int steps);

/* The player who has won, POLEMOS_DRAW or POLEMOS_RUNNING. */
int polemos_demons_winner(const polemos_demons_state *state);

/* Writes one part of an order (POLEMOS_DEMONS_BUILDER, POLEMOS_DEMONS_HIRE, POLEMOS_DEMONS_PROVOKE) as text, such as
   `build cannon 3,4`. Returns its length, 0 if there is no such part, or -1 if it doesn't fit. */
int polemos_demons_write(const polemos_demons_state *state, const polemos_demons_order *order, int part, char *text,
                         size_t room);
