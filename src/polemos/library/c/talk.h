/* The conversation of a bot that gets its positions as records: one JSON object per line, on standard input and output.

   Written for bots that use libpolemos, to be read and changed. We need very few fields of a message, so we find them in
   the line instead of reading all of it. Include this file once, in the file with your main function. */
#ifndef TALK_H
#define TALK_H

#define _POSIX_C_SOURCE 200809L /* for getline */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "polemos.h"

typedef struct {
    const char *name;                        /* shown in tables of results */
    int edition;                             /* of our library */
    const char *layout;                      /* of its states */
    void *state;                             /* where to put the position */
    size_t size;                             /* of a state */
    void (*begin)(int seat, uint64_t seed);  /* a match begins; take all randomness from the seed */
    void (*answer)(double seconds);          /* our orders are due: call give_order for each */
} bot;

/* ---- JSON: a value is the place in the line where it begins */

static const char *blanks(const char *p) { return p + strspn(p, " \t\r\n"); }

/* The position after the value that begins at p. */
static const char *skip(const char *p) {
    if (*p == '"') {
        for (p++; *p && *p != '"'; p++)
            if (*p == '\\' && p[1]) p++; /* \" does not end the string */
        return *p ? p + 1 : p;
    }
    if (*p == '{' || *p == '[') {
        int depth = 0;
        do {
            if (*p == '"') {
                p = skip(p); /* brackets within strings do not count */
                continue;
            }
            depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
            p++;
        } while (*p && depth > 0);
        return p;
    }
    return p + strcspn(p, ",]} \t\r\n"); /* a number, true, false, null */
}

/* The value of a field of an object; nested objects are not searched. "" if there is none. */
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

/* ---- messages */

static int given; /* orders in this turn */

/* Adds an order, as text, to our answer. */
static void give_order(const char *text) { printf("%s\"%s\"", given++ ? "," : "", text); }

/* Our number: seats count from 0. */
static int seat_in(const char *hello) {
    const char *mine = member(hello, "seat"), *seat = member(hello, "seats");
    size_t length = (size_t)(skip(mine) - mine);
    int number = 0;
    for (seat = *seat == '[' ? blanks(seat + 1) : ""; *seat == '"'; number++) {
        if (!strncmp(seat, mine, length)) return number;
        seat = blanks(skip(seat));
        if (*seat == ',') seat = blanks(seat + 1);
    }
    return 0;
}

static void respond(const bot *self, const char *message) {
    const char *record = member(message, "record"), *bytes = member(record, "state");
    given = 0;
    printf("{\"type\":\"orders\",\"orders\":[");
    if (!is_text(member(record, "layout"), self->layout))
        fprintf(stderr, "The umpire's records are not those of our library. Build it again.\n");
    else if (*bytes == '"' && polemos_read(bytes + 1, self->state, self->size) > 0)
        self->answer(strtod(member(message, "time_left"), NULL));
    printf("]}\n");
}

/* Talks to the umpire until the match is over. */
static int talk(const bot *self) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char *message = blanks(line), *type = member(message, "type");
        if (is_text(type, "hello")) {
            if (atoi(member(message, "edition")) != self->edition)
                fprintf(stderr, "The umpire plays another edition of the rules than our library. Build it again.\n");
            self->begin(seat_in(message), strtoull(member(message, "seed"), NULL, 10));
            printf("{\"type\":\"ready\",\"protocol\":1,\"name\":\"%s\",\"record\":true}\n", self->name);
        } else if (is_text(type, "view")) {
            respond(self, message);
        } else if (is_text(type, "result")) {
            break;
        }
        fflush(stdout); /* a line left in a buffer arrives too late */
    }
    free(line);
    return 0;
}

#endif
