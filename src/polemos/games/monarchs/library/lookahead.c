/* A bot for Monarchs that looks one turn ahead, with the rules in its own process.

   It invents some hundred sheets of its own, plays each of them against random sheets of the others, and files the one
   that did best. Hexes in the fog are a guess: the umpire sends us a position that agrees with everything we see.

   This is where to begin: invent better sheets, value a position better, expect better sheets of the others, or play
   several turns ahead with polemos_monarchs_playout. */

#include "talk.h"

#include "polemos_monarchs.h"

enum { SHEETS = 400, TRIALS = 12 }; /* about 10 ms for a turn */

static polemos_monarchs_state state; /* the position */
static int me;                       /* our nation */
static uint64_t dice;                /* our own random numbers: the same seed gives the same game */

static void begin(int seat, uint64_t seed) {
    me = seat;
    dice = seed;
}

static uint64_t next_key(void) { return polemos_mix(dice++); }

/* How good a turn was for us: our points count more than those of the others. */
static long value(const polemos_monarchs_state *after) {
    long worth = 0;
    for (int nation = 0; nation < POLEMOS_MONARCHS_NATIONS; nation++)
        worth += nation == me ? 3 * after->score[nation] : -after->score[nation];
    return worth;
}

/* What a sheet of ours brings against random sheets of the others. */
static long try_out(const polemos_monarchs_sheet *mine, uint64_t trials) {
    static polemos_monarchs_sheets sheets;
    long worth = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        uint64_t key = polemos_mix(trials + trial); /* the same for all sheets of a turn, so that luck decides less */
        polemos_monarchs_state after = state;
        polemos_monarchs_invent(&state, &sheets, key);
        sheets.of[me] = *mine;
        polemos_monarchs_resolve(&after, &sheets, key, 0);
        worth += value(&after);
    }
    return worth;
}

static void answer(double seconds) {
    static polemos_monarchs_sheets invented;
    polemos_monarchs_sheet best = {0};
    uint64_t trials = next_key();
    long most = try_out(&best, trials);
    for (int i = 0; i < SHEETS && seconds > 0.1; i++) {
        polemos_monarchs_invent(&state, &invented, next_key());
        long worth = try_out(&invented.of[me], trials);
        if (worth > most) {
            most = worth;
            best = invented.of[me];
        }
    }
    for (int i = 0; i < best.count; i++) {
        char text[32];
        if (polemos_monarchs_write(&best.lines[i], text, sizeof text) > 0) give_order(text);
    }
}

int main(void) {
    return talk(&(bot){"lookahead", polemos_monarchs_edition(), polemos_monarchs_layout(), &state, sizeof state, begin,
                       answer});
}
