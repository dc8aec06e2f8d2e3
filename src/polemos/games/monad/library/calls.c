/* Monad for users of the library. There are no rules here: every function passes records on to compiled rules. */
#include "calls.h"

#include <stdio.h>

/* Scratch space of a turn, clean after every use. Each thread has its own. */
static _Thread_local polemos_monad_work work;

static int tiles(const polemos_monad_state *state) { return state->width * state->height; }

void polemos_monad_copy(polemos_monad_state *to, const polemos_monad_state *from) {
    memcpy(to, from, offsetof(polemos_monad_state, cell) + (size_t)tiles(from) * sizeof from->cell[0]);
}

void polemos_monad_set(const polemos_monad_state *state, polemos_monad_order *order, int seat, int word, int x, int y,
                       int direction, int number) {
    bool there = x >= 0 && x < state->width && y >= 0 && y < state->height;
    memset(order, 0, sizeof *order);
    order->seat = (int8_t)seat;
    order->word = (int8_t)word;
    order->direction = (int8_t)direction;
    order->tile = (int16_t)(there ? y * state->width + x : -1);
    order->x = (int8_t)(there ? x : 0);
    order->number = number;
}

int polemos_monad_resolve(polemos_monad_state *state, polemos_monad_order *orders, int count) {
    if (state->reason) return -1;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!state->forfeited[orders[i].seat]) {
            if (kept != i) orders[kept] = orders[i];
            kept++;
        }
    polemos_monad_rule_resolve(state, orders, kept, kept, polemos_silent, &work);
    return 0;
}

void polemos_monad_judge(const polemos_monad_state *state, polemos_monad_order *orders, int count) {
    polemos_monad_rule_judge((polemos_monad_state *)state, orders, count, count, polemos_silent, &work);
}

void polemos_monad_look(const polemos_monad_state *state, int who, polemos_monad_sight *sight) {
    memset(sight, 0, sizeof *sight);
    polemos_monad_rule_look((polemos_monad_state *)state, who, sight);
}

int polemos_monad_options(const polemos_monad_sight *sight, polemos_monad_order *orders, int count,
                          polemos_monad_choice *found, int room) {
    return (int)polemos_monad_rule_options((polemos_monad_sight *)sight, orders, count, count, polemos_silent, found,
                                           room, &work);
}

int polemos_monad_invent(const polemos_monad_state *state, polemos_monad_order *orders, uint64_t key) {
    return (int)polemos_monad_rule_invent((polemos_monad_state *)state, orders, 2 * tiles(state) + 2, key);
}

int polemos_monad_playout(polemos_monad_state *state, uint64_t key, int turns) {
    static _Thread_local polemos_monad_order orders[POLEMOS_MONAD_MAX_INVENTED];
    int played = 0;
    for (; played < turns && !state->reason; played++) {
        int count = polemos_monad_invent(state, orders, polemos_mix(key ^ (uint64_t)played));
        polemos_monad_resolve(state, orders, count);
    }
    return played;
}

int polemos_monad_winner(const polemos_monad_state *state) {
    if (!state->reason) return POLEMOS_RUNNING;
    return state->winner == POLEMOS_MONAD_NOBODY ? POLEMOS_DRAW : state->winner;
}

int polemos_monad_write(const polemos_monad_state *state, const polemos_monad_order *order, char *text, size_t room) {
    static const char *const words[] = {"move", "build", "mine", "work"};
    int x = order->tile % state->width, y = order->tile / state->width;
    bool directed = order->direction >= 0 && (order->word == POLEMOS_MONAD_MOVE || order->word == POLEMOS_MONAD_BUILD);
    int length = directed ? snprintf(text, room, "%s %d,%d %s %d", words[order->word], x, y,
                                     POLEMOS_MONAD_DIRECTION_NAMES[order->direction], order->number)
                          : snprintf(text, room, "%s %d,%d %d", words[order->word], x, y, order->number);
    return length >= 0 && (size_t)length < room ? length : -1;
}
