/* The conversation of a bot that gets its positions as records: one JSON object per line, on standard input and output.

   Written for bots that use libpolemos, to be read and changed; `json.h` of the starter kit finds the few fields of a message
   that we need. Include this file once, in the file with your main function. */
#ifndef TALK_H
#define TALK_H

#define _POSIX_C_SOURCE 200809L /* for getline */

#include "json.h"
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

/* ---- messages */

static int given; /* orders in this turn */

/* Adds an order, as text, to our answer. */
static void give_order(const char *text) { printf("%s\"%s\"", given++ ? "," : "", text); }

static bool same(Text one, Text other) {
    size_t length = (size_t)(one.end - one.at);
    return other.at && (size_t)(other.end - other.at) == length && !strncmp(one.at, other.at, length);
}

/* Our number: seats count from 0. */
static int seat_in(Text hello) {
    Text mine = member(hello, "seat");
    int number = 0;
    for (Text seat = first(member(hello, "seats")); seat.at; seat = next(seat), number++)
        if (same(seat, mine)) return number;
    return 0;
}

static void respond(const bot *self, Text message) {
    Text record = member(message, "record"), bytes = member(record, "state"), left = member(message, "time_left");
    given = 0;
    printf("{\"type\":\"orders\",\"orders\":[");
    if (!is_string(member(record, "layout"), self->layout))
        fprintf(stderr, "The umpire's records are not those of our library. Build it again.\n");
    else if (bytes.at && *bytes.at == '"' && polemos_read(bytes.at + 1, self->state, self->size) > 0)
        self->answer(left.at ? strtod(left.at, NULL) : 0);
    printf("]}\n");
}

/* Talks to the umpire until the match is over. */
static int talk(const bot *self) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        Text message = {blanks(line), NULL}, type = member(message, "type"), seed = member(message, "seed");
        if (is_string(type, "hello")) {
            if (whole(member(message, "edition")) != self->edition)
                fprintf(stderr, "The umpire plays another edition of the rules than our library. Build it again.\n");
            self->begin(seat_in(message), seed.at ? strtoull(seed.at, NULL, 10) : 0);
            printf("{\"type\":\"ready\",\"protocol\":1,\"name\":\"%s\",\"record\":true}\n", self->name);
        } else if (is_string(type, "view")) {
            respond(self, message);
        } else if (is_string(type, "result")) {
            break;
        }
        fflush(stdout); /* a line left in a buffer arrives too late */
    }
    free(line);
    return 0;
}

#endif
