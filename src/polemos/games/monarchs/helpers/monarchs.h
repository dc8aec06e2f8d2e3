/* Helpers for Monarchs: the map, distances, who is where, and orders. Needs json.h of the starter kit.

       #include "monarchs.h"

       static Board board;
       board_begin(&board, member(message, "setting"), member(message, "seat")); // once, from hello
       board_update(&board, member(message, "view"));                            // each turn
       Hexes armies = board_armies(&board, board.seat);
       for (int i = 0; i < armies.count; i++) {
           Hexes near = board_towards(&board, armies.at[i], board.centre);
           if (!near.count) continue;
           Order order = march_order(armies.at[i], near.at[0], board_regiments(&board, armies.at[i]));
           printf("{\"type\":\"order\",\"order\":\"%s\"}\n", order.text);
       }

   A hex is its name, such as "G5". Numbers in brackets are paragraphs of the rule book. */

#ifndef MONARCHS_H
#define MONARCHS_H

#include "json.h"

enum { HEXES = 61, NATIONS = 3 };

typedef struct {
    int count;
    const char *at[HEXES];
} Hexes;

typedef struct {
    char text[64];
} Order;

/* The board as far as it is in sight. */
typedef struct {
    char seat[16], centre[4];
    char bases[NATIONS][4];
    bool seen[HEXES];
    char owner[HEXES][16]; /* empty: nobody, or out of sight */
    int regiments[HEXES];
} Board;

static const char *const NATION_NAMES[NATIONS] = {"red", "green", "blue"};

/* Row by row from the top (1.1). */
static const char *const HEX_NAMES[HEXES] = {
    "E9", "G9", "I9", "K9", "M9", "D8", "F8", "H8", "J8", "L8", "N8", "C7", "E7", "G7", "I7", "K7",
    "M7", "O7", "B6", "D6", "F6", "H6", "J6", "L6", "N6", "P6", "A5", "C5", "E5", "G5", "I5", "K5",
    "M5", "O5", "Q5", "B4", "D4", "F4", "H4", "J4", "L4", "N4", "P4", "C3", "E3", "G3", "I3", "K3",
    "M3", "O3", "D2", "F2", "H2", "J2", "L2", "N2", "E1", "G1", "I1", "K1", "M1"};

/* The place of a hex in HEX_NAMES, or -1. */
static inline int hex_number(const char *hex) {
    for (int i = 0; i < HEXES; i++)
        if (!strcmp(HEX_NAMES[i], hex)) return i;
    return -1;
}

static inline void board_begin(Board *board, Text setting, Text seat) {
    memset(board, 0, sizeof *board);
    copy_string(seat, board->seat, sizeof board->seat);
    copy_string(member(setting, "centre"), board->centre, sizeof board->centre);
    for (int i = 0; i < NATIONS; i++)
        copy_string(member(member(setting, "bases"), NATION_NAMES[i]), board->bases[i], sizeof board->bases[i]);
}

/* Reads the view of this turn. */
static inline void board_update(Board *board, Text view) {
    for (int i = 0; i < HEXES; i++) {
        Text ground = member(member(view, "hexes"), HEX_NAMES[i]);
        board->seen[i] = ground.at != NULL;
        copy_string(member(ground, "owner"), board->owner[i], sizeof board->owner[i]);
        board->regiments[i] = whole(member(ground, "regiments"));
    }
}

/* ---- the map */

/* All 61 hexes, row by row from the top (1.1). */
static inline Hexes board_hexes(const Board *board) {
    Hexes found = {.count = HEXES};
    (void)board; /* the map is the same in every match */
    memcpy(found.at, HEX_NAMES, sizeof HEX_NAMES);
    return found;
}

/* The hexes next to this one, clockwise from the left (1.2). */
static inline Hexes board_neighbours(const Board *board, const char *hex) {
    static const int steps[6][2] = {{-2, 0}, {-1, 1}, {1, 1}, {2, 0}, {1, -1}, {-1, -1}};
    Hexes found = {0};
    (void)board;
    for (int i = 0; i < 6; i++) {
        char name[3] = {(char)(hex[0] + steps[i][0]), (char)(hex[1] + steps[i][1]), 0};
        if (hex_number(name) >= 0) found.at[found.count++] = HEX_NAMES[hex_number(name)];
    }
    return found;
}

/* The home base of a nation (1.3), or NULL. */
static inline const char *board_base(const Board *board, const char *nation) {
    for (int i = 0; i < NATIONS; i++)
        if (!strcmp(NATION_NAMES[i], nation)) return board->bases[i];
    return NULL;
}

/* The number of steps between two hexes (1.2). Nothing is in the way of an army. */
static inline int board_distance(const Board *board, const char *a, const char *b) {
    (void)board;
    int columns = abs(a[0] - b[0]), rows = abs(a[1] - b[1]);
    return rows + (columns > rows ? (columns - rows) / 2 : 0);
}

/* The neighbours that are one step nearer to the target; empty if you are there. */
static inline Hexes board_towards(const Board *board, const char *start, const char *target) {
    Hexes found = {0}, near = board_neighbours(board, start);
    int here = board_distance(board, start, target);
    for (int i = 0; i < near.count; i++)
        if (board_distance(board, near.at[i], target) < here) found.at[found.count++] = near.at[i];
    return found;
}

/* ---- what is where */

/* Whether a hex is in sight (9.1). */
static inline bool board_seen(const Board *board, const char *hex) { return board->seen[hex_number(hex)]; }

/* The owner of a hex; NULL if it is unclaimed or out of sight. */
static inline const char *board_owner(const Board *board, const char *hex) {
    const char *owner = board->owner[hex_number(hex)];
    return *owner ? owner : NULL;
}

/* The regiments on a hex, all of its owner; 0 if it is out of sight. */
static inline int board_regiments(const Board *board, const char *hex) { return board->regiments[hex_number(hex)]; }

/* The hexes in sight that a nation owns. */
static inline Hexes board_land(const Board *board, const char *nation) {
    Hexes found = {0};
    for (int i = 0; i < HEXES; i++)
        if (!strcmp(board->owner[i], nation)) found.at[found.count++] = HEX_NAMES[i];
    return found;
}

/* The hexes in sight with regiments of a nation. */
static inline Hexes board_armies(const Board *board, const char *nation) {
    Hexes found = {0}, land = board_land(board, nation);
    for (int i = 0; i < land.count; i++)
        if (board_regiments(board, land.at[i])) found.at[found.count++] = land.at[i];
    return found;
}

/* ---- orders */

/* Regiments go to a neighbouring hex (3.2). */
static inline Order march_order(const char *start, const char *target, int number) {
    Order order;
    snprintf(order.text, sizeof order.text, "%s-%s %d", start, target, number);
    return order;
}

/* Your army fights better on this hex, this turn (3.7). */
static inline Order bless_order(const char *hex) {
    Order order;
    snprintf(order.text, sizeof order.text, "bless %s", hex);
    return order;
}

#endif
