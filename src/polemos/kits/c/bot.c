/* A starter bot. It plays every game in Polemos by choosing legal orders at random.

   The umpire writes one JSON object per line to our standard input, and we answer with one JSON object per line on
   standard output. Anything we write to standard error goes to our log.

   C does not come with a JSON library. This bot needs very little of one: json.h finds pieces of the line, and orders
   are sent back unchanged. */

#define _POSIX_C_SOURCE 200809L /* for getline */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

enum { MAX_ORDERS = 40 }; /* in one turn */
enum { ENOUGH = 10 };      /* the chance to stop before each order is one in this many */

/* ---- a seeded random generator ("splitmix64") */

static uint64_t dice;

static long below(long number) { /* 0 to number - 1 */
    uint64_t z = dice += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (long)((z ^ (z >> 31)) % (uint64_t)number);
}

/* ---- play */

/* Counts the options that we want; number `wanted` of them goes into `found`. */
static long look(Text options, long wanted, Text *found) {
    long count = 0;
    for (Text option = first(options); option.at; option = next(option)) {
        if (!is(member(member(option, "order"), "order"), "\"resign\"") && count++ == wanted) *found = option;
    }
    return count;
}

static void print(const char *from, const char *to) { fwrite(from, 1, (size_t)(to - from), stdout); }

/* Gives an order, or returns false to end the turn. This is where to add your strategy. */
static bool give_order(Text options) {
    Text option = {NULL, NULL};
    long count = look(options, -1, &option);
    if (count == 0 || below(ENOUGH) == 0) return false;
    look(options, below(count), &option);
    Text order = member(option, "order"), least = member(option, "least"), most = member(option, "most");
    printf("{\"type\":\"order\",\"order\":");
    if (missing(least) || missing(most)) {
        print(order.at, order.end);
    } else { /* we can choose the order's number, which replaces the one that is there */
        long from = strtol(least.at, NULL, 10), number = from + below(strtol(most.at, NULL, 10) - from + 1);
        Text old = member(order, "number");
        if (old.at) {
            print(order.at, old.at);
            printf("%ld", number);
            print(old.end, order.end);
        } else {
            printf("{\"number\":%ld,", number);
            print(order.at + 1, order.end);
        }
    }
    printf("}\n");
    return true;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    int given = 0; /* orders in this turn */
    while (getline(&line, &room, stdin) > 0) {
        Text message = {blanks(line), line + strlen(line)};
        Text type = member(message, "type");
        if (is(type, "\"hello\"")) { /* once: our seat, and everything that never changes in this match */
            Text seed = member(message, "seed");
            dice = seed.at ? strtoull(seed.at, NULL, 10) : 0; /* the same seed gives the same game */
            printf("{\"type\":\"ready\",\"protocol\":1,\"name\":\"__NAME__\",\"options\":true}\n");
        } else if (is(type, "\"view\"") || is(type, "\"update\"")) {
            if (is(type, "\"view\"")) given = 0; /* a new turn; the field "view" is everything we can see */
            Text fault = member(message, "fault"); /* set in an update if our last order was refused */
            if (!missing(fault)) fprintf(stderr, "refused: %.*s\n", (int)(fault.end - fault.at), fault.at);
            if (missing(fault) && given < MAX_ORDERS && give_order(member(message, "options")))
                given++;
            else
                printf("{\"type\":\"end\"}\n");
        } else if (is(type, "\"result\"")) {
            break;
        }
        fflush(stdout); /* a line left in a buffer arrives too late */
    }
    free(line);
    return 0;
}
