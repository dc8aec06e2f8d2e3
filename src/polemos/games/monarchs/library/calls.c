/* Monarchs for users of the library. There are no rules here: every function passes records on to compiled rules. */
#include "calls.h"

#include <stdio.h>

/* Scratch space of a turn, clean between turns, and one that is wiped before use. Each thread has its own. */
static _Thread_local polemos_monarchs_work work, fresh;
static _Thread_local polemos_chance chance;

int polemos_monarchs_resolve(polemos_monarchs_state *state, polemos_monarchs_sheets *sheets, uint64_t key,
                             uint64_t salt) {
    if (state->reason) return -1;
    for (int nation = 0; nation < POLEMOS_MONARCHS_NATIONS; nation++)
        if (state->dropped[nation]) sheets->of[nation].count = 0;
    chance.key = key;
    chance.salt = salt;
    polemos_monarchs_rule_resolve(state, sheets, &chance, polemos_silent, &work);
    return 0;
}

void polemos_monarchs_judge(const polemos_monarchs_state *state, int nation, polemos_monarchs_sheet *sheet) {
    polemos_monarchs_state spent = *state;
    memset(&fresh, 0, sizeof fresh);
    polemos_monarchs_rule_judge(&spent, nation, sheet, &fresh);
}

void polemos_monarchs_look(const polemos_monarchs_state *state, int who, polemos_monarchs_sight *sight) {
    memset(sight, 0, sizeof *sight);
    polemos_monarchs_rule_look((polemos_monarchs_state *)state, who, sight);
}

int polemos_monarchs_options(const polemos_monarchs_sight *sight, polemos_monarchs_sheet *draft,
                             polemos_monarchs_choice *found) {
    polemos_monarchs_state board;
    memset(&board, 0, sizeof board);
    memset(&fresh, 0, sizeof fresh);
    return (int)polemos_monarchs_rule_options((polemos_monarchs_sight *)sight, draft, found,
                                              POLEMOS_MONARCHS_MAX_CHOICES, &board, &fresh);
}

void polemos_monarchs_invent(const polemos_monarchs_state *state, polemos_monarchs_sheets *sheets, uint64_t key) {
    polemos_monarchs_rule_invent((polemos_monarchs_state *)state, sheets, key, &work);
}

int polemos_monarchs_playout(polemos_monarchs_state *state, uint64_t key, int turns) {
    static _Thread_local polemos_monarchs_sheets sheets;
    int played = 0;
    for (; played < turns && !state->reason; played++) {
        uint64_t own = polemos_mix(key ^ (uint64_t)played);
        polemos_monarchs_invent(state, &sheets, own);
        polemos_monarchs_resolve(state, &sheets, own, 0);
    }
    return played;
}

int polemos_monarchs_winner(const polemos_monarchs_state *state) {
    return state->reason ? state->places[0] : POLEMOS_RUNNING;
}

int polemos_monarchs_write(const polemos_monarchs_line *line, char *text, size_t room) {
    const char *const *name = POLEMOS_MONARCHS_HEX_NAMES;
    int length = line->kind == POLEMOS_MONARCHS_BLESS
                     ? snprintf(text, room, "bless %s", name[line->target])
                     : snprintf(text, room, "%s-%s %d", name[line->origin], name[line->target], line->number);
    return length >= 0 && (size_t)length < room ? length : -1;
}
