/* Minions for users of the library. There are no rules here: every function passes records on to compiled rules. */
#include "calls.h"

#include <stdarg.h>
#include <stdio.h>

/* Scratch space, which rules don't expect to be clean. Each thread has its own. */
static _Thread_local polemos_minions_work work;

void polemos_minions_copy(polemos_minions_state *to, const polemos_minions_state *from) {
    memcpy(to, from, offsetof(polemos_minions_state, board) + (size_t)from->boards * sizeof from->board[0]);
}

int polemos_minions_apply(polemos_minions_state *state, const polemos_minions_order *order) {
    return (int)polemos_minions_rule_apply(state, (polemos_minions_order *)order, polemos_silent, &work);
}

int polemos_minions_end(polemos_minions_state *state) {
    if (state->reason) return -1;
    polemos_minions_rule_end(state, polemos_silent);
    return 0;
}

int polemos_minions_resolve(polemos_minions_state *state, const polemos_minions_order *orders, int count) {
    if (state->reason) return -1;
    int refused = state->gave_up[0] || state->gave_up[1] ? POLEMOS_MINIONS_MAX_REFUSED : 0;
    for (int i = 0; i < count && refused < POLEMOS_MINIONS_MAX_REFUSED; i++) {
        if (orders[i].kind == POLEMOS_MINIONS_END) break;
        refused += polemos_minions_apply(state, &orders[i]) != 0;
    }
    return polemos_minions_end(state);
}

void polemos_minions_look(const polemos_minions_state *state, int who, polemos_minions_sight *sight) {
    memset(sight, 0, sizeof *sight);
    polemos_minions_rule_look((polemos_minions_state *)state, who, sight);
}

int polemos_minions_options(const polemos_minions_state *state, int board, polemos_minions_choice *found, int room) {
    polemos_minions_state *given = (polemos_minions_state *)state;
    if (state->reason) return 0;
    return (int)(board < 0 ? polemos_minions_rule_spells(given, found, room)
                           : polemos_minions_rule_orders(given, board, found, room, &work));
}

void polemos_minions_set(polemos_minions_order *order, int board, const polemos_minions_choice *choice) {
    memset(order, 0, sizeof *order);
    order->kind = choice->kind;
    order->board = (int8_t)(board < 0 ? 0 : board);
    order->type = choice->type;
    order->keep = choice->kind == POLEMOS_MINIONS_CHOOSE ? choice->start : POLEMOS_MINIONS_KEEP_DEAREST;
    order->count = choice->swap ? 2 : 1;
    order->start[0] = choice->start;
    order->target[0] = choice->target;
    if (choice->swap) {
        order->start[1] = choice->target;
        order->target[1] = choice->start;
    }
}

int polemos_minions_random_turn(polemos_minions_state *state, uint64_t key) {
    static _Thread_local polemos_minions_order order;
    return (int)polemos_minions_rule_random_turn(state, &order, key, polemos_silent, &work);
}

int polemos_minions_playout(polemos_minions_state *state, uint64_t key, int turns) {
    int played = 0;
    for (; played < turns && !state->reason; played++) {
        if (!state->gave_up[0] && !state->gave_up[1])
            polemos_minions_random_turn(state, polemos_mix(key ^ (uint64_t)played));
        polemos_minions_end(state);
    }
    return played;
}

int polemos_minions_winner(const polemos_minions_state *state) {
    if (!state->reason) return POLEMOS_RUNNING;
    return state->winner == POLEMOS_MINIONS_NOBODY ? POLEMOS_DRAW : state->winner;
}

/* ---- orders as text */

typedef struct {
    char *text;
    size_t room, length;
} paper;

static void put(paper *to, const char *form, ...) {
    va_list values;
    va_start(values, form);
    size_t at = to->length < to->room ? to->length : to->room;
    int more = vsnprintf(to->text + at, to->room - at, form, values);
    va_end(values);
    to->length += more > 0 ? (size_t)more : 0;
}

static void put_spells(paper *to, const polemos_minions_order *order) {
    for (int i = 0; i < order->count;) {
        const char *gap = i ? " " : "";
        int marches = 0;
        while (i < order->count && order->start[i] == POLEMOS_MINIONS_MARCH) marches++, i++;
        if (marches == 1 && order->count == 1)
            put(to, "march");
        else if (marches)
            put(to, "%smarch %d", gap, marches);
        else
            put(to, "%stech %d", gap, order->start[i++] + 1);
    }
}

static void put_letter(paper *to, const polemos_minions_state *state, int type) { put(to, "%c", state->type[type].letter); }

int polemos_minions_write(const polemos_minions_state *state, const polemos_minions_order *order, char *text,
                          size_t room) {
    const char *const *hex = POLEMOS_MINIONS_HEX_NAMES;
    paper to = {text, room, 0};
    if (order->kind == POLEMOS_MINIONS_SPELLS) {
        put_spells(&to, order);
    } else if (order->kind == POLEMOS_MINIONS_END) {
        put(&to, "end");
    } else {
        put(&to, "%d ", order->board + 1);
        if (order->kind == POLEMOS_MINIONS_MOVE && order->count > 1) {
            put(&to, "tick");
            for (int i = 0; i < order->count; i++) put(&to, " %s-%s", hex[order->start[i]], hex[order->target[i]]);
        } else if (order->kind == POLEMOS_MINIONS_MOVE || order->kind == POLEMOS_MINIONS_ATTACK) {
            put(&to, "%s ", order->kind == POLEMOS_MINIONS_MOVE ? "move" : "attack");
            put(&to, "%s-%s", hex[order->start[0]], hex[order->target[0]]);
        } else if (order->kind == POLEMOS_MINIONS_BUY) {
            put(&to, "buy ");
            put_letter(&to, state, order->type);
        } else if (order->kind == POLEMOS_MINIONS_SPAWNING) {
            put(&to, "spawn ");
            put_letter(&to, state, order->type);
            put(&to, " %s", hex[order->target[0]]);
        } else if (order->kind == POLEMOS_MINIONS_CHOOSE) {
            put(&to, "choose %.*s", POLEMOS_MINIONS_MAX_NAME, (const char *)state->type[order->type].name);
            if (order->keep == POLEMOS_MINIONS_KEEP_NONE) put(&to, " keep none");
            if (order->keep >= 0) {
                put(&to, " keep ");
                put_letter(&to, state, order->keep);
            }
        } else {
            put(&to, "resign");
        }
    }
    return to.length < room ? (int)to.length : -1;
}
