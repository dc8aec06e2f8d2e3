/* A bot for Minions that looks one turn ahead, with the rules in its own process.

   It puts together some turns: on each board it gives the order after which the position seems best, again and again,
   with more and more chance in its judgement. Then it lets the other side answer each turn a few times at random, and
   files the one after which it stood best. This is where to begin: value a position better, or expect better answers. */

#include "talk.h"

#include "polemos_minions.h"

enum { TURNS = 24, ANSWERS = 12, ORDERS = 200 }; /* turns that are tried, answers to each, orders in a turn */

typedef struct {
    int count;
    polemos_minions_order order[ORDERS];
} sheet;

static polemos_minions_state state; /* the position */
static int me;                      /* our side */
static uint64_t dice;               /* our own random numbers: the same seed gives the same game */

static void begin(int seat, uint64_t seed) {
    me = seat;
    dice = seed;
}

static uint64_t next_key(void) { return polemos_mix(dice++); }

/* 1.3 Steps between two hexes. */
static int distance(int a, int b) {
    int x = a % POLEMOS_MINIONS_SIDE - b % POLEMOS_MINIONS_SIDE, y = a / POLEMOS_MINIONS_SIDE - b / POLEMOS_MINIONS_SIDE;
    int z = x + y;
    x = abs(x), y = abs(y), z = abs(z);
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

/* How good a board is for us: units and their damage, graveyards under our feet, the way to the others. */
static long value_of(const polemos_minions_state *at, const polemos_minions_board *board) {
    long worth = 0;
    int goal[POLEMOS_MINIONS_HEXES], goals = 0; /* graveyards that we don't hold */
    for (int h = 0; h < POLEMOS_MINIONS_HEXES; h++) {
        int piece = board->hex[h].piece * (me == POLEMOS_MINIONS_YELLOW ? 1 : -1);
        if (board->hex[h].ground == POLEMOS_MINIONS_GRAVEYARD && piece <= 0) goal[goals++] = h;
    }
    for (int h = 0; h < POLEMOS_MINIONS_HEXES; h++) {
        const polemos_minions_hex *hex = &board->hex[h];
        int piece = hex->piece * (me == POLEMOS_MINIONS_YELLOW ? 1 : -1); /* above 0: ours */
        if (!piece) continue;
        const polemos_minions_type *type = &at->type[abs(piece) - 1];
        bool necromancer = type->keywords & POLEMOS_MINIONS_NECROMANCER;
        bool grave = hex->ground == POLEMOS_MINIONS_GRAVEYARD;
        long own = 20 + 10 * type->cost - 5 * hex->damage + (necromancer ? 300 : 0) + (grave ? 40 : 0);
        worth += piece > 0 ? own : -own;
        if (piece > 0 && !necromancer && !grave && goals) {
            int nearest = POLEMOS_MINIONS_HEXES;
            for (int i = 0; i < goals; i++)
                if (distance(h, goal[i]) < nearest) nearest = distance(h, goal[i]);
            worth -= 2 * nearest;
        }
    }
    for (int type = 0; type < at->types; type++) { /* units that were bought and not spawned yet */
        worth += (8 * at->type[type].cost + 4) * board->zone[me * POLEMOS_MINIONS_MAX_TYPES + type];
        worth -= (8 * at->type[type].cost + 4) * board->zone[(1 - me) * POLEMOS_MINIONS_MAX_TYPES + type];
    }
    return worth;
}

/* How good a position is for us: boards, points, money. */
static long value(const polemos_minions_state *at) {
    int winner = polemos_minions_winner(at);
    if (winner >= 0) return winner == me ? 100000 : -100000;
    long worth = 7 * (at->money[me] - at->money[1 - me]) + 2000 * (at->points[me] - at->points[1 - me]);
    for (int b = 0; b < at->boards; b++) worth += value_of(at, &at->board[b]);
    return worth;
}

/* Gives the best order on a board (-1: spells) if one is worth giving; `luck` is how much chance has a say. */
static bool improve(polemos_minions_state *at, int board, sheet *given, uint64_t luck) {
    static polemos_minions_choice found[POLEMOS_MINIONS_MAX_CHOICES];
    static polemos_minions_state after;
    long most = value(at) + (long)(next_key() % (luck + 1));
    bool any = false;
    int count = polemos_minions_options(at, board, found, POLEMOS_MINIONS_MAX_CHOICES);
    for (int i = 0; i < count && given->count < ORDERS; i++) {
        polemos_minions_order order;
        if (found[i].kind == POLEMOS_MINIONS_RESIGN || found[i].kind == POLEMOS_MINIONS_END) continue;
        polemos_minions_set(&order, board, &found[i]);
        polemos_minions_copy(&after, at);
        if (polemos_minions_apply(&after, &order)) continue;
        long worth = value(&after) + (long)(next_key() % (luck + 1));
        bool due = found[i].kind == POLEMOS_MINIONS_CHOOSE || (board < 0 && at->placed == 0); /* costs nothing */
        if (worth > most || (due && !any)) {
            most = worth;
            given->order[given->count] = order;
            any = true;
        }
    }
    if (any) polemos_minions_apply(at, &given->order[given->count++]);
    return any;
}

/* What a turn of ours brings after random answers. */
static long try_out(const polemos_minions_state *done, uint64_t answers) {
    static polemos_minions_state after;
    long worth = 0;
    for (uint64_t i = 0; i < ANSWERS; i++) {
        polemos_minions_copy(&after, done);
        polemos_minions_end(&after);
        polemos_minions_playout(&after, polemos_mix(answers + i), 1);
        worth += value(&after);
    }
    return worth;
}

static void answer(double seconds) {
    static polemos_minions_state now;
    static sheet tried, best;
    uint64_t answers = next_key();
    long most = 0;
    for (int i = 0; i < TURNS && (i == 0 || seconds > 1); i++) {
        uint64_t luck = (uint64_t)(3 * i);
        polemos_minions_copy(&now, &state);
        tried.count = 0;
        improve(&now, -1, &tried, luck);
        for (int board = 0; board < now.boards; board++)
            while (improve(&now, board, &tried, luck)) continue;
        long worth = try_out(&now, answers);
        if (i == 0 || worth > most) {
            most = worth;
            best = tried;
        }
    }
    for (int i = 0; i < best.count; i++) {
        char text[1000];
        if (polemos_minions_write(&state, &best.order[i], text, sizeof text) > 0) give_order(text);
        polemos_minions_apply(&state, &best.order[i]);
    }
}

int main(void) {
    return talk(&(bot){"lookahead", polemos_minions_edition(), polemos_minions_layout(), &state, sizeof state, begin,
                       answer});
}
