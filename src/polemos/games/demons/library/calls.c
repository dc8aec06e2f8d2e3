/* Demons for users of the library. There are no rules here: every function passes records on to compiled rules. */
#include "calls.h"

#include <stdio.h>

/* Scratch space of a turn, and the dice. Each thread has its own. */
static _Thread_local polemos_demons_work work;
static _Thread_local polemos_chance chance;

void polemos_demons_copy(polemos_demons_state *to, const polemos_demons_state *from) {
    memcpy(to, from, offsetof(polemos_demons_state, tile) + (size_t)from->tiles * sizeof from->tile[0]);
}

int polemos_demons_tile_at(const polemos_demons_state *state, int x, int y) {
    for (int tile = 0; tile < state->tiles; tile++)
        if (state->tile[tile].x == x && state->tile[tile].y == y) return tile;
    return -2;
}

void polemos_demons_clear(polemos_demons_order *order) {
    memset(order, 0, sizeof *order);
    order->build = -1;
    order->build_at = order->destroy_at = -1;
    order->hire = -1;
}

void polemos_demons_add(const polemos_demons_state *state, polemos_demons_order *order,
                        const polemos_demons_choice *choice) {
    order->lines[choice->part]++;
    if (choice->part == POLEMOS_DEMONS_HIRE) {
        order->hire = choice->kind;
    } else if (choice->part == POLEMOS_DEMONS_PROVOKE) {
        order->provoke = 1;
    } else if (choice->kind >= 0) {
        order->build = choice->kind;
        order->build_at = (int16_t)polemos_demons_tile_at(state, choice->x, choice->y);
    } else {
        order->destroy_at = (int16_t)polemos_demons_tile_at(state, choice->x, choice->y);
    }
}

int polemos_demons_resolve(polemos_demons_state *state, polemos_demons_orders *orders, uint64_t key, uint64_t salt) {
    if (state->reason || state->step == POLEMOS_DEMONS_TOSS) return -1;
    chance.key = key;
    chance.salt = salt;
    polemos_demons_rule_resolve(state, orders, &chance, polemos_silent, &work);
    return 0;
}

int polemos_demons_judge(const polemos_demons_state *state, int player, polemos_demons_order *order) {
    return (int)polemos_demons_rule_judge((polemos_demons_state *)state, player, order);
}

void polemos_demons_look(const polemos_demons_state *state, int who, polemos_demons_sight *sight) {
    memset(sight, 0, sizeof *sight);
    polemos_demons_rule_look((polemos_demons_state *)state, who, sight);
}

int polemos_demons_options(const polemos_demons_sight *sight, polemos_demons_order *draft,
                           polemos_demons_choice *found) {
    return (int)polemos_demons_rule_options((polemos_demons_sight *)sight, draft, found, POLEMOS_DEMONS_MAX_CHOICES,
                                            &work);
}

void polemos_demons_invent(const polemos_demons_state *state, polemos_demons_orders *orders, uint64_t key) {
    polemos_demons_rule_invent((polemos_demons_state *)state, orders, key);
}

int polemos_demons_playout(polemos_demons_state *state, uint64_t key, int steps) {
    static _Thread_local polemos_demons_orders orders;
    int played = 0;
    for (; played < steps && !state->reason; played++) {
        uint64_t own = polemos_mix(key ^ (uint64_t)played);
        polemos_demons_invent(state, &orders, own);
        if (polemos_demons_resolve(state, &orders, own, 0) < 0) break;
    }
    return played;
}

int polemos_demons_winner(const polemos_demons_state *state) {
    if (!state->reason) return POLEMOS_RUNNING;
    return state->winner == POLEMOS_DEMONS_NOBODY ? POLEMOS_DRAW : state->winner;
}

int polemos_demons_write(const polemos_demons_state *state, const polemos_demons_order *order, int part, char *text,
                         size_t room) {
    int length = 0;
    if (part == POLEMOS_DEMONS_HIRE && order->hire >= 0) {
        length = snprintf(text, room, "hire %c", "NESW"[order->hire]);
    } else if (part == POLEMOS_DEMONS_PROVOKE && order->provoke) {
        length = snprintf(text, room, "provoke");
    } else if (part == POLEMOS_DEMONS_BUILDER && order->build >= 0 && order->build_at >= 0) {
        const polemos_demons_tile *at = &state->tile[order->build_at];
        length = snprintf(text, room, "build %s %d,%d", POLEMOS_DEMONS_TOWER_NAMES[order->build], at->x, at->y);
    } else if (part == POLEMOS_DEMONS_BUILDER && order->destroy_at >= 0) {
        const polemos_demons_tile *at = &state->tile[order->destroy_at];
        length = snprintf(text, room, "destroy %d,%d", at->x, at->y);
    }
    return length >= 0 && (size_t)length < room ? length : -1;
}
