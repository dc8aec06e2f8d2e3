/* Helpers for Minions: the maps, distances, what is where, and orders. Needs json.h of the starter kit.

       #include "minions.h"

       static Board board;
       board_begin(&board, member(message, "setting"), member(message, "seat")); // once, from hello
       board_update(&board, member(message, "view"));            // each turn, and whenever an update has a view
       Hexes mine = board_units(&board, 1, board.seat);
       for (int i = 0; i < mine.count; i++) {
           Hexes free = board_moves(&board, 1, mine.at[i]);
           if (!free.count) continue;
           printf("{\"type\":\"order\",\"order\":\"%s\"}\n", move_order(1, mine.at[i], free.at[0]).text);
       }

   Boards are numbered from 1. A hex is its name, such as "c2". Numbers in brackets are paragraphs of the rule book. */

#ifndef MINIONS_H
#define MINIONS_H

#include "json.h"

enum { HEXES = 100, MAX_BOARDS = 8, MAX_TYPES = 64, NO_WAY = -1 };

typedef struct {
    int count;
    const char *at[HEXES];
} Hexes;

typedef struct {
    char text[1024];
} Order;

typedef struct {
    char name[48];
    bool necromancer, flying, spawn; /* spawn: units are spawned next to it */
    int speed, range;
} Type; /* (3.1) */

typedef struct {
    char side[16], letter[4]; /* N for necromancers */
    const Type *type;         /* NULL: nobody is here */
    int damage;
    bool fresh; /* was spawned this turn */
    bool done;  /* has moved, has attacked or was spawned this turn, so it cannot move */
} Unit;

/* All boards of the match as they are now. */
typedef struct {
    char seat[16], side[16]; /* mine, and the one to move */
    int types, zone[MAX_BOARDS][2][MAX_TYPES], money[2];
    Type type[MAX_TYPES];
    char ground[MAX_BOARDS][HEXES]; /* G, W or a blank */
    char state[MAX_BOARDS][16];
    bool barred[MAX_BOARDS]; /* no moves there now */
    Unit unit[MAX_BOARDS][HEXES];
} Board;

static const char *const SIDE_NAMES[] = {"yellow", "blue"};
static const int STEPS[6][2] = {{-1, 0}, {1, 0}, {0, 1}, {-1, 1}, {0, -1}, {1, -1}}; /* (1.2) */

static inline int hex_number(const char *hex) { return 10 * (hex[1] - '0') + hex[0] - 'a'; }

static inline const char *hex_name(int number) {
    static char names[HEXES][3];
    names[number][0] = (char)('a' + number % 10);
    names[number][1] = (char)('0' + number / 10);
    return names[number];
}

static inline bool has_keyword(Text facts, const char *keyword) {
    Text word = first(member(facts, "keywords"));
    while (word.at && !is_string(word, keyword)) word = next(word);
    return word.at != NULL;
}

static inline void read_types(Board *board, Text list, bool necromancers) {
    for (Text facts = first(list); facts.at; facts = next(facts)) {
        Type *type = &board->type[board->types++];
        copy_string(member(facts, "name"), type->name, sizeof type->name);
        type->necromancer = necromancers;
        type->flying = has_keyword(facts, "Flying");
        type->spawn = has_keyword(facts, "Spawn");
        type->speed = whole(member(facts, "speed"));
        type->range = whole(member(facts, "range"));
    }
}

static inline void board_begin(Board *board, Text setting, Text seat) {
    memset(board, 0, sizeof *board);
    copy_string(seat, board->seat, sizeof board->seat);
    read_types(board, member(setting, "units"), false);
    read_types(board, member(setting, "necromancers"), true);
    int number = 0;
    for (Text map = first(member(setting, "maps")); map.at; map = next(map), number++) { /* (15.1) */
        int hex = 0;
        memset(board->ground[number], ' ', HEXES);
        for (const char *sign = map.at + 1; sign < map.end - 1 && hex < HEXES; sign++) {
            if (*sign == 'G' || *sign == 'W') board->ground[number][hex++] = *sign;
            if (*sign >= '0' && *sign <= '9') hex += *sign == '0' ? 10 : *sign - '0';
        }
    }
}

/* Reads the view of this turn. */
static inline void board_update(Board *board, Text view) {
    int number = 0;
    copy_string(member(view, "side"), board->side, sizeof board->side);
    for (int side = 0; side < 2; side++) board->money[side] = whole(member(member(view, "money"), SIDE_NAMES[side]));
    memset(board->unit, 0, sizeof board->unit);
    for (Text one = first(member(view, "boards")); one.at; one = next(one), number++) {
        copy_string(member(one, "state"), board->state[number], sizeof board->state[number]);
        board->barred[number] = is(member(one, "due"), "true") || is(member(one, "closed"), "true") ||
                                is(member(one, "resigned"), "true") || is_string(member(one, "state"), "reset+0");
        for (int side = 0; side < 2; side++)
            for (int type = 0; type < board->types; type++) {
                Text zone = member(member(one, "zones"), SIDE_NAMES[side]);
                bool bought = !board->type[type].necromancer;
                board->zone[number][side][type] = bought ? whole(member(zone, board->type[type].name)) : 0;
            }
        for (Text found = first(member(one, "units")); found.at; found = next(found)) {
            char hex[4];
            copy_string(member(found, "hex"), hex, sizeof hex);
            Unit *unit = &board->unit[number][hex_number(hex)];
            copy_string(member(found, "side"), unit->side, sizeof unit->side);
            copy_string(member(found, "letter"), unit->letter, sizeof unit->letter);
            unit->damage = whole(member(found, "damage"));
            unit->fresh = is(member(found, "fresh"), "true");
            unit->done = unit->fresh || is(member(found, "moved"), "true") || whole(member(found, "used")) > 0;
            bool necromancer = !strcmp(unit->letter, "N"); /* one may share its name with a unit */
            for (int i = 0; i < board->types; i++) {
                const Type *type = &board->type[i];
                if (type->necromancer == necromancer && is_string(member(found, "type"), type->name)) unit->type = type;
            }
        }
    }
}

/* ---- the map */

/* What a hex is: "plain", "graveyard" or "water" (1.4). */
static inline const char *board_ground(const Board *board, int number, const char *hex) {
    char sign = board->ground[number - 1][hex_number(hex)];
    return sign == 'G' ? "graveyard" : sign == 'W' ? "water" : "plain";
}

/* The graveyards of a board, rank by rank. */
static inline Hexes board_graveyards(const Board *board, int number) {
    Hexes found = {0};
    for (int hex = 0; hex < HEXES; hex++)
        if (board->ground[number - 1][hex] == 'G') found.at[found.count++] = hex_name(hex);
    return found;
}

/* The hexes next to this one (1.2). */
static inline Hexes board_neighbours(const Board *board, const char *hex) {
    Hexes found = {0};
    (void)board; /* boards differ only in their ground */
    for (int i = 0; i < 6; i++) {
        int x = hex[0] - 'a' + STEPS[i][0], y = hex[1] - '0' + STEPS[i][1];
        if (x >= 0 && x < 10 && y >= 0 && y < 10) found.at[found.count++] = hex_name(10 * y + x);
    }
    return found;
}

/* The distance between two hexes, whatever lies between them (1.3). */
static inline int board_distance(const Board *board, const char *a, const char *b) {
    (void)board;
    int dx = a[0] - b[0], dy = a[1] - b[1], most = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    return abs(dx + dy) > most ? abs(dx + dy) : most;
}

/* The unit on a hex, or NULL. */
static inline const Unit *board_unit(const Board *board, int number, const char *hex) {
    const Unit *unit = &board->unit[number - 1][hex_number(hex)];
    return unit->type ? unit : NULL;
}

/* The steps of the unit on a hex to all others, or NO_WAY. */
static inline void board_walks(const Board *board, int number, const char *start, int steps[HEXES]) {
    const Unit *unit = board_unit(board, number, start);
    int queue[HEXES], head = 0, tail = 0;
    for (int hex = 0; hex < HEXES; hex++)
        steps[hex] = unit && unit->type->flying ? board_distance(board, start, hex_name(hex)) : NO_WAY;
    if (!unit || unit->type->flying) return;
    steps[queue[tail++] = hex_number(start)] = 0;
    while (head < tail) {
        int here = queue[head++];
        Hexes near = board_neighbours(board, hex_name(here));
        for (int i = 0; i < near.count; i++) {
            int there = hex_number(near.at[i]);
            const Unit *other = board_unit(board, number, near.at[i]);
            bool enemy = other && strcmp(other->side, unit->side);
            if (steps[there] != NO_WAY || enemy || board->ground[number - 1][there] == 'W') continue;
            steps[there] = steps[here] + 1;
            queue[tail++] = there;
        }
    }
}

/* The steps of the unit on `start` to another hex, around water and enemies, or over them if it flies; -1 if there is
   no way. Its speed does not count here, and friends never block (5.9, 7.1). */
static inline int board_walk(const Board *board, int number, const char *start, const char *target) {
    int steps[HEXES];
    board_walks(board, number, start, steps);
    return steps[hex_number(target)];
}

/* The empty hexes to which the unit on `hex` can move now, rank by rank (5). */
static inline Hexes board_moves(const Board *board, int number, const char *hex) {
    Hexes found = {0};
    const Unit *unit = board_unit(board, number, hex);
    int steps[HEXES];
    if (!unit || unit->done || board->barred[number - 1] || strcmp(unit->side, board->side)) return found;
    board_walks(board, number, hex, steps);
    for (int to = 0; to < HEXES; to++)
        if (steps[to] != NO_WAY && steps[to] <= unit->type->speed && !board_unit(board, number, hex_name(to)))
            found.at[found.count++] = hex_name(to);
    return found;
}

/* ---- what is where */

/* The state of a board: "turn1", "normal", "reset+0", "reset+1" or "reset+2" (10.1). */
static inline const char *board_state(const Board *board, int number) { return board->state[number - 1]; }

/* The hexes with units of a side, rank by rank. */
static inline Hexes board_units(const Board *board, int number, const char *side) {
    Hexes found = {0};
    for (int hex = 0; hex < HEXES; hex++)
        if (!strcmp(board->unit[number - 1][hex].side, side)) found.at[found.count++] = hex_name(hex);
    return found;
}

/* The hexes with enemies in range of the unit on `hex` (6.2). */
static inline Hexes board_targets(const Board *board, int number, const char *hex) {
    Hexes found = {0};
    const Unit *unit = board_unit(board, number, hex);
    if (!unit) return found;
    Hexes enemies = board_units(board, number, SIDE_NAMES[!strcmp(unit->side, "yellow")]);
    for (int i = 0; i < enemies.count; i++)
        if (board_distance(board, hex, enemies.at[i]) <= unit->type->range) found.at[found.count++] = enemies.at[i];
    return found;
}

/* The number of a type of unit, such as "Zombie", or -1. */
static inline int type_number(const Board *board, const char *name) {
    for (int i = 0; i < board->types; i++)
        if (!board->type[i].necromancer && !strcmp(board->type[i].name, name)) return i;
    return -1;
}

/* The hexes on which you can spawn a unit of a type, rank by rank (9.5 to 9.8). Whether you have such a unit, and a
   spawn phase on this board, is another question. */
static inline Hexes board_spawns(const Board *board, int number, const char *type) {
    Hexes found = {0};
    bool flying = board->type[type_number(board, type)].flying;
    for (int hex = 0; hex < HEXES; hex++) {
        bool fits = flying || board->ground[number - 1][hex] != 'W', beside = false;
        Hexes near = board_neighbours(board, hex_name(hex));
        for (int i = 0; i < near.count; i++) {
            const Unit *unit = board_unit(board, number, near.at[i]);
            beside = beside || (unit && !strcmp(unit->side, board->seat) && unit->type->spawn && !unit->fresh);
        }
        if (fits && beside && !board_unit(board, number, hex_name(hex))) found.at[found.count++] = hex_name(hex);
    }
    return found;
}

/* How many units of a type, such as "Zombie", wait in a side's zone (2.4). */
static inline int board_in_zone(const Board *board, int number, const char *side, const char *type) {
    return board->zone[number - 1][!strcmp(side, "blue")][type_number(board, type)];
}

/* What a side has in its purse (2.5). */
static inline int board_money(const Board *board, const char *side) { return board->money[!strcmp(side, "blue")]; }

/* ---- orders */

static inline Order written(int board, const char *word, const char *a, const char *between, const char *b) {
    Order order;
    snprintf(order.text, sizeof order.text, "%d %s%s%s%s%s", board, word, *a ? " " : "", a, between, b);
    return order;
}

/* Moves one unit (5). */
static inline Order move_order(int board, const char *start, const char *target) {
    return written(board, "move", start, "-", target);
}

/* Moves several units at once, so that they can change places (5.10): start and target of each. */
static inline Order tick_order(int board, int count, const char *const moves[][2]) {
    Order order = written(board, "tick", "", "", "");
    for (int i = 0; i < count; i++) {
        size_t used = strlen(order.text);
        snprintf(order.text + used, sizeof order.text - used, " %s-%s", moves[i][0], moves[i][1]);
    }
    return order;
}

/* The unit on one hex attacks the one on another (6). */
static inline Order attack_order(int board, const char *start, const char *target) {
    return written(board, "attack", start, "-", target);
}

/* Buys a unit, named by its letter or its name (9.3). */
static inline Order buy_order(int board, const char *unit) { return written(board, "buy", unit, "", ""); }

/* Spawns a unit of the zone (9.4). */
static inline Order spawn_order(int board, const char *unit, const char *hex) {
    return written(board, "spawn", unit, " ", hex);
}

/* Chooses a necromancer and the unit of the zone to keep (10.7, 10.10). */
static inline Order choose_order(int board, const char *necromancer, const char *keep) {
    return written(board, "choose", necromancer, " keep ", keep);
}

/* Gives up a board (13.1). */
static inline Order resign_order(int board) { return written(board, "resign", "", "", ""); }

/* Puts a spell under the first card where you have none (8.4). */
static inline Order march_order(void) { return (Order){"march"}; }

/* Puts a second spell under a card; places count from 1 (8.5). */
static inline Order tech_order(int card) {
    Order order;
    snprintf(order.text, sizeof order.text, "tech %d", card);
    return order;
}

/* Ends the turn (4.8). */
static inline Order end_order(void) { return (Order){"end"}; }

#endif
