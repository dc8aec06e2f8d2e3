/* A bot for Monad that looks ahead, with the rules in its own process.

   It invents lists of orders for all its stacks, plays some random turns after each of them, and files the list after
   which it stood best. This is where to begin: invent better lists, play better games than random ones, value a
   position better. */

#include "talk.h"

#include "polemos_monad.h"

enum { LISTS = 30, TRIALS = 3, AHEAD = 12 }; /* lists that are tried, games for each, turns of a game */

static polemos_monad_state state; /* the position */
static int me;                    /* our seat */
static uint64_t dice;             /* our own random numbers: the same seed gives the same game */

static void begin(int seat, uint64_t seed) {
    me = seat;
    dice = seed;
}

static uint64_t next_key(void) { return polemos_mix(dice++); }

/* How good a position is for us: units, what could be bought for the stock, buildings. */
static int64_t value(const polemos_monad_state *after) {
    int64_t worth = 0;
    int winner = polemos_monad_winner(after);
    if (winner >= 0) return winner == me ? 1000000 : -1000000;
    for (int seat = 0; seat < after->seats; seat++) {
        int64_t own = 10 * after->units[seat] + 10 * after->stock[seat] / (after->unit_cost + 1);
        own += 200 * after->buildings[seat];
        worth += seat == me ? after->seats * own : -own;
    }
    return worth;
}

/* Random orders of our own, or of the others; returns how many. */
static int invent(polemos_monad_order *orders, uint64_t key, bool ours) {
    int count = polemos_monad_invent(&state, orders, key), kept = 0;
    for (int i = 0; i < count; i++)
        if ((orders[i].seat == me) == ours) orders[kept++] = orders[i];
    return kept;
}

/* What a list of ours brings, if everybody plays at random afterwards. */
static int64_t try_out(const polemos_monad_order *mine, int count, uint64_t trials) {
    static polemos_monad_order orders[2 * POLEMOS_MONAD_MAX_INVENTED];
    static polemos_monad_state after;
    int64_t worth = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        uint64_t key = polemos_mix(trials + trial); /* the same for all lists of a turn, so that luck decides less */
        int others = invent(orders, key, false);
        memcpy(orders + others, mine, (size_t)count * sizeof *mine);
        polemos_monad_copy(&after, &state);
        polemos_monad_resolve(&after, orders, others + count);
        polemos_monad_playout(&after, key, AHEAD);
        worth += value(&after);
    }
    return worth;
}

static void answer(double seconds) {
    static polemos_monad_order invented[POLEMOS_MONAD_MAX_INVENTED], best[POLEMOS_MONAD_MAX_INVENTED];
    uint64_t trials = next_key();
    int best_count = 0;
    int64_t most = try_out(best, 0, trials);
    for (int i = 0; i < LISTS && seconds > 1; i++) {
        int count = invent(invented, next_key(), true);
        int64_t worth = try_out(invented, count, trials);
        if (worth > most) {
            most = worth;
            best_count = count;
            memcpy(best, invented, (size_t)count * sizeof *best);
        }
    }
    polemos_monad_judge(&state, best, best_count);
    for (int i = 0; i < best_count; i++) {
        char text[48];
        if (!best[i].fault && polemos_monad_write(&state, &best[i], text, sizeof text) > 0) give_order(text);
    }
}

int main(void) {
    return talk(&(bot){"lookahead", polemos_monad_edition(), polemos_monad_layout(), &state, sizeof state, begin,
                       answer});
}
