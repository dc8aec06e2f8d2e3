/* A bot for Minions that looks one turn ahead, with the rules in its own process.

   On each board it tries every legal order, keeps the one after which the position is worth most, and goes on from
   there until nothing improves it. This is where to begin: value a position better (`value`), or let the other side
   answer before you do. */

#include "talk.h"

#include "polemos_minions.h"

enum { MOST = 60 }; /* orders in a turn */

static polemos_minions_state state; /* the position */
static int me;                      /* our side */
static uint64_t dice;               /* our own random numbers: the same seed gives the same game */

static void begin(int seat, uint64_t seed) {
    me = seat;
    dice = seed;
}

/* How good a position is for us: units by their price, damage, graveyards under our feet, money. */
static long value(const polemos_minions_state *at) {
    long worth = 0;
    for (int b = 0; b < at->boards; b++) {
        const polemos_minions_board *board = &at->board[b];
        worth += 400 * board->killed;
        for (int h = 0; h < POLEMOS_MINIONS_HEXES; h++) {
            const polemos_minions_hex *hex = &board->hex[h];
            if (!hex->piece) continue;
            bool ours = (hex->piece > 0) == (me == POLEMOS_MINIONS_YELLOW);
            const polemos_minions_type *type = &at->type[(hex->piece > 0 ? hex->piece : -hex->piece) - 1];
            long own = 20 + 10 * type->cost - 5 * hex->damage + (hex->ground == POLEMOS_MINIONS_GRAVEYARD ? 30 : 0);
            worth += ours ? own : -own;
        }
        for (int type = 0; type < at->types; type++) {
            worth += (8 * at->type[type].cost + 4) * board->zone[me * POLEMOS_MINIONS_MAX_TYPES + type];
            worth -= 8 * at->type[type].cost * board->zone[(1 - me) * POLEMOS_MINIONS_MAX_TYPES + type];
        }
    }
    return worth + 7 * at->money[me] - 7 * at->money[1 - me];
}

/* The best single order on a board (-1: spells), if one improves the position by itself. */
static bool improve(int board) {
    static polemos_minions_choice found[POLEMOS_MINIONS_MAX_CHOICES];
    static polemos_minions_state after;
    polemos_minions_order best;
    long most = value(&state);
    bool any = false;
    int count = polemos_minions_options(&state, board, found, POLEMOS_MINIONS_MAX_CHOICES);
    for (int i = 0; i < count; i++) {
        if (found[i].kind == POLEMOS_MINIONS_RESIGN || found[i].kind == POLEMOS_MINIONS_END) continue;
        polemos_minions_order order;
        polemos_minions_set(&order, board, &found[i]);
        polemos_minions_copy(&after, &state);
        if (polemos_minions_apply(&after, &order)) continue;
        long worth = value(&after) + (found[i].kind == POLEMOS_MINIONS_CHOOSE ? 1000 : 0);
        bool free = board < 0 && !any && state.placed == 0; /* the first spell costs nothing */
        if (worth > most || free) {
            most = worth;
            best = order;
            any = true;
        }
    }
    if (any) {
        char text[1000];
        if (polemos_minions_write(&state, &best, text, sizeof text) > 0) give_order(text);
        polemos_minions_apply(&state, &best);
    }
    return any;
}

static void answer(double seconds) {
    (void)seconds;
    improve(-1);
    for (int board = 0; board < state.boards; board++)
        for (int i = 0; i < MOST && improve(board); i++) continue;
}

int main(void) {
    return talk(&(bot){"lookahead", polemos_minions_edition(), polemos_minions_layout(), &state, sizeof state, begin,
                       answer});
}
