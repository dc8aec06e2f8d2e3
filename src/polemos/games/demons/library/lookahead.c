/* A bot for Demons that looks ahead, with the rules in its own process.

   It tries every legal order it can give now: for each, it plays some random games from there on and counts how they
   stand. First it decides on a tower, then on a mercenary. This is where to begin: play better games than random ones,
   look further ahead, value a position better. */

#include "talk.h"

#include "polemos_demons.h"

enum { ORDERS = 60, TRIALS = 24, AHEAD = 40 }; /* orders that are tried, games for each, turns of a game */

static polemos_demons_state state; /* the position */
static int me;                     /* our player */
static uint64_t dice;              /* our own random numbers: the same seed gives the same game */

static void begin(int seat, uint64_t seed) {
    me = seat;
    dice = seed;
}

static uint64_t next_key(void) { return polemos_mix(dice++); }

/* How good a position is for us: health of the bases first, then gold and towers. */
static long value(const polemos_demons_state *after) {
    long worth = 0, winner = polemos_demons_winner(after);
    if (winner >= 0) return winner == me ? 1000000 : -1000000;
    for (int player = 0; player < 2; player++) {
        long own = 20 * after->health[player] + after->gold[player];
        worth += player == me ? own : -own;
    }
    for (int i = 0; i < after->towers; i++) {
        int price = after->book.price[after->tower[i].kind];
        worth += after->tower[i].owner == me ? price : -price;
    }
    return worth;
}

/* What an order of ours brings, if everybody plays at random afterwards. */
static long try_out(const polemos_demons_order *mine, uint64_t trials) {
    static polemos_demons_state after;
    static polemos_demons_orders orders;
    long worth = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        uint64_t key = polemos_mix(trials + trial); /* the same for all orders of a turn, so that luck decides less */
        polemos_demons_copy(&after, &state);
        polemos_demons_invent(&state, &orders, key);
        orders.of[me] = *mine;
        polemos_demons_resolve(&after, &orders, key, 0);
        polemos_demons_playout(&after, key, AHEAD);
        worth += value(&after);
    }
    return worth;
}

/* Adds the best line of one part to our order, or none. */
static void decide(int part, polemos_demons_order *order, uint64_t trials) {
    static polemos_demons_sight sight;
    static polemos_demons_choice found[POLEMOS_DEMONS_MAX_CHOICES];
    polemos_demons_order best = *order;
    long most = try_out(order, trials);
    polemos_demons_look(&state, me, &sight);
    int count = polemos_demons_options(&sight, order, found);
    uint64_t every = (uint64_t)(count / ORDERS + 1); /* of many we try some */
    for (int i = 0; i < count; i++) {
        if (found[i].part != part || (part == POLEMOS_DEMONS_BUILDER && next_key() % every)) continue;
        polemos_demons_order with = *order;
        polemos_demons_add(&state, &with, &found[i]);
        long worth = try_out(&with, trials);
        if (worth > most) {
            most = worth;
            best = with;
        }
    }
    *order = best;
}

static void answer(double seconds) {
    polemos_demons_order order;
    polemos_demons_clear(&order);
    if (seconds > 0.5) {
        uint64_t trials = next_key();
        decide(POLEMOS_DEMONS_BUILDER, &order, trials);
        decide(POLEMOS_DEMONS_HIRE, &order, trials);
    }
    for (int part = 0; part < 3; part++) {
        char text[32];
        if (polemos_demons_write(&state, &order, part, text, sizeof text) > 0) give_order(text);
    }
}

int main(void) {
    return talk(&(bot){"lookahead", polemos_demons_edition(), polemos_demons_layout(), &state, sizeof state, begin,
                       answer});
}
