/* A bot for Monarchs that looks one turn ahead, with the rules in its own process.

   It invents some hundred sheets of its own, plays each of them against random sheets of the others, and files the one
   that did best. Hexes in the fog are a guess: the umpire sends us a position that agrees with everything we see.

   This is where to begin: invent better sheets (`invent`), value a position better (`value`), or play several turns
   with polemos_monarchs_playout. */

#define _POSIX_C_SOURCE 200809L /* for getline */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "polemos_monarchs.h"

enum { SHEETS = 400, TRIALS = 12 }; /* about 10 ms for a turn */

/* ---- JSON: we need very few fields, each a piece of the line */

static const char *blanks(const char *p) { return p + strspn(p, " \t\r\n"); }

/* The position after the value that begins at p. */
static const char *skip(const char *p) {
    if (*p == '"') {
        for (p++; *p && *p != '"'; p++)
            if (*p == '\\' && p[1]) p++;
        return *p ? p + 1 : p;
    }
    if (*p == '{' || *p == '[') {
        int depth = 0;
        do {
            if (*p == '"') {
                p = skip(p);
                continue;
            }
            depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
            p++;
        } while (*p && depth > 0);
        return p;
    }
    return p + strcspn(p, ",]} \t\r\n");
}

/* The value of a field of an object, or "". */
static const char *member(const char *object, const char *name) {
    size_t length = strlen(name);
    const char *p = *object == '{' ? blanks(object + 1) : "";
    while (*p == '"') {
        const char *key = p + 1, *end = skip(p);
        p = blanks(end);
        if (*p == ':') p = blanks(p + 1);
        if ((size_t)(end - key) == length + 1 && !strncmp(key, name, length)) return p;
        p = blanks(skip(p));
        if (*p == ',') p = blanks(p + 1);
    }
    return "";
}

static bool is_text(const char *value, const char *text) {
    size_t length = strlen(text);
    return *value == '"' && !strncmp(value + 1, text, length) && value[length + 1] == '"';
}

/* ---- looking ahead */

static uint64_t dice; /* our own random numbers: the same seed gives the same game */
static int me;        /* the number of our nation */

static uint64_t next_key(void) { return polemos_mix(dice++); }

/* How good a position is for us, after a turn: our points of that turn count more than those of the others. */
static long value(const polemos_monarchs_state *state) {
    long worth = 0;
    for (int nation = 0; nation < POLEMOS_MONARCHS_NATIONS; nation++)
        worth += nation == me ? 3 * state->score[nation] : -state->score[nation];
    return worth;
}

/* What a sheet of ours brings against random sheets of the others, and the given dice. */
static long try_out(const polemos_monarchs_state *state, const polemos_monarchs_sheet *mine, uint64_t trials) {
    static polemos_monarchs_sheets sheets;
    long worth = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        uint64_t key = polemos_mix(trials + trial); /* the same for all sheets, so that luck decides less */
        polemos_monarchs_state after = *state;
        polemos_monarchs_invent(state, &sheets, key);
        sheets.of[me] = *mine;
        polemos_monarchs_resolve(&after, &sheets, key, 0);
        worth += value(&after);
    }
    return worth;
}

static void answer(const polemos_monarchs_state *state) {
    static polemos_monarchs_sheets invented;
    polemos_monarchs_sheet best = {0};
    uint64_t trials = next_key();
    long most = try_out(state, &best, trials);
    for (int i = 0; i < SHEETS; i++) {
        polemos_monarchs_invent(state, &invented, next_key());
        long worth = try_out(state, &invented.of[me], trials);
        if (worth > most) {
            most = worth;
            best = invented.of[me];
        }
    }
    printf("{\"type\":\"orders\",\"orders\":[");
    for (int i = 0; i < best.count; i++) {
        char text[32];
        if (polemos_monarchs_write(&best.lines[i], text, sizeof text) > 0) printf("%s\"%s\"", i ? "," : "", text);
    }
    printf("]}\n");
}

/* ---- the conversation */

static void greet(const char *hello) {
    for (int nation = 0; nation < POLEMOS_MONARCHS_NATIONS; nation++)
        if (is_text(member(hello, "seat"), POLEMOS_MONARCHS_NATION_NAMES[nation])) me = nation;
    dice = strtoull(member(hello, "seed"), NULL, 10);
    if (atoi(member(hello, "edition")) != polemos_monarchs_edition())
        fprintf(stderr, "The umpire plays another edition of the rules than our library knows.\n");
    printf("{\"type\":\"ready\",\"protocol\":1,\"name\":\"lookahead\",\"record\":true}\n");
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char *message = blanks(line), *type = member(message, "type");
        if (is_text(type, "hello")) {
            greet(message);
        } else if (is_text(type, "view")) {
            const char *record = member(message, "record"), *bytes = member(record, "state");
            polemos_monarchs_state state;
            bool known = is_text(member(record, "layout"), polemos_monarchs_layout());
            if (known && *bytes && polemos_read(bytes + 1, &state, sizeof state) > 0) {
                answer(&state);
            } else {
                fprintf(stderr, "The umpire's records are not those of our library. Build it again.\n");
                printf("{\"type\":\"orders\",\"orders\":[]}\n");
            }
        } else if (is_text(type, "result")) {
            break;
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
