/* Helpers for Demons: the map, lanes and ranges, what is where, and orders. Needs json.h of the starter kit.

       #include "demons.h"

       static Board board;
       board_begin(&board, member(message, "setting"), member(message, "seat")); // once, from hello
       board_update(&board, member(message, "view"));                            // each turn
       if (board.gold >= board_price(&board, HOUSE))
           printf("{\"type\":\"order\",\"order\":\"%s\"}\n", build_order(HOUSE, board_sites(&board).at[0]).text);

   Numbers in brackets are paragraphs of the rule book. */

#ifndef DEMONS_H
#define DEMONS_H

#include "json.h"

enum { MAX_SQUARES = 4096, MAX_LANES = 4, NOWHERE = -1 };

typedef struct {
    int x, y;
} Tile;

typedef struct {
    int count;
    Tile at[MAX_SQUARES];
} Tiles;

typedef enum { NORTH, EAST, SOUTH, WEST } Compass; /* (1.2) */

typedef struct {
    int count;
    Compass at[4];
} Directions;

typedef enum { HOUSE, CROSSBOW, CANNON, MINIGUN, CHURCH, KINDS } Kind; /* church: only under the rules of the finals */

typedef struct {
    Kind kind;
    char owner[16];
    int cooldown;
} Tower;

typedef struct {
    char kind[16], side[16]; /* a mercenary and its owner, or a demon and its target */
    int health, damage;
} Unit;

typedef struct {
    char text[64];
} Order;

/* The board as it is now. */
typedef struct {
    int width, height, gold; /* the gold is mine */
    char seat[16];
    char ground[MAX_SQUARES]; /* the letters of 1.1 */
    int lane[MAX_SQUARES], step[MAX_SQUARES], lengths[MAX_LANES];
    Tiles covers[KINDS]; /* in steps east and south */
    int prices[KINDS];
    bool exits[4];
    Tiles towers, units; /* where they are, and what */
    Tower tower[MAX_SQUARES];
    Unit unit[MAX_SQUARES];
} Board;

static const char *const COMPASS_NAMES[] = {"N", "E", "S", "W"};
static const char *const KIND_NAMES[] = {"house", "crossbow", "cannon", "minigun", "church"};
static const Tile STEPS[] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

static inline Tile tile_beside(Tile tile, Compass way) { return (Tile){tile.x + STEPS[way].x, tile.y + STEPS[way].y}; }

static inline Tile tile_of(Text object) { return (Tile){whole(member(object, "x")), whole(member(object, "y"))}; }

static inline Tile tile_of_pair(Text pair) { return (Tile){whole(first(pair)), whole(next(first(pair)))}; }

static inline int tile_in(const Tiles *tiles, Tile tile) {
    for (int i = 0; i < tiles->count; i++)
        if (tiles->at[i].x == tile.x && tiles->at[i].y == tile.y) return i;
    return NOWHERE;
}

static inline void board_begin(Board *board, Text setting, Text seat) {
    memset(board, 0, sizeof *board);
    copy_string(seat, board->seat, sizeof board->seat);
    for (Text row = first(member(setting, "rows")); row.at; row = next(row)) {
        board->width = (int)(row.end - row.at) - 2;
        memcpy(board->ground + board->width * board->height++, row.at + 1, (size_t)board->width);
    }
    for (int i = 0; i < MAX_SQUARES; i++) board->lane[i] = NOWHERE;
    int number = 0;
    for (Text lane = first(member(setting, "lanes")); lane.at; lane = next(lane), number++)
        for (Text pair = first(lane); pair.at; pair = next(pair)) {
            int square = tile_of_pair(pair).y * board->width + tile_of_pair(pair).x;
            board->lane[square] = number;
            board->step[square] = ++board->lengths[number];
        }
    for (Kind kind = HOUSE; kind < KINDS; kind++) {
        Text covers = member(member(member(setting, "guide"), "covers"), KIND_NAMES[kind]);
        Tiles *tiles = &board->covers[kind];
        for (Text pair = first(covers); pair.at; pair = next(pair)) tiles->at[tiles->count++] = tile_of_pair(pair);
    }
}

/* Reads the view of this turn. */
static inline void board_update(Board *board, Text view) {
    Text base = member(member(view, "bases"), board->seat), prices = member(member(view, "prices"), board->seat);
    board->gold = whole(member(base, "gold"));
    for (Kind kind = HOUSE; kind < KINDS; kind++) board->prices[kind] = whole(member(prices, KIND_NAMES[kind]));
    for (int i = 0; i < 4; i++) board->exits[i] = member(member(base, "queued"), COMPASS_NAMES[i]).at != NULL;
    board->towers.count = board->units.count = 0;
    for (Text found = first(member(view, "towers")); found.at; found = next(found)) {
        Tower *tower = &board->tower[board->towers.count];
        *tower = (Tower){.cooldown = whole(member(found, "cooldown"))};
        while (!is_string(member(found, "kind"), KIND_NAMES[tower->kind])) tower->kind++;
        copy_string(member(found, "owner"), tower->owner, sizeof tower->owner);
        board->towers.at[board->towers.count++] = tile_of(found);
    }
    for (Text found = first(member(view, "units")); found.at; found = next(found)) {
        Unit *unit = &board->unit[board->units.count];
        *unit = (Unit){.health = whole(member(found, "health")), .damage = whole(member(found, "damage"))};
        copy_string(member(found, "kind"), unit->kind, sizeof unit->kind);
        copy_string(member(found, "side"), unit->side, sizeof unit->side);
        board->units.at[board->units.count++] = tile_of(found);
    }
}

/* ---- the map */

static inline bool is_inside(const Board *board, Tile tile) {
    return tile.x >= 0 && tile.y >= 0 && tile.x < board->width && tile.y < board->height;
}

/* What a square is: "red" or "blue" territory, "path", "base" or "abyss" (1.1). */
static inline const char *board_ground(const Board *board, Tile tile) {
    char sign = is_inside(board, tile) ? board->ground[tile.y * board->width + tile.x] : '.';
    if (sign == '.') return "abyss";
    if (strchr("rp", sign)) return "red";
    if (strchr("bq", sign)) return "blue";
    return strchr("RB", sign) ? "base" : "path";
}

/* The directions of the tiles next to this one, without the abyss (1.2); tile_beside gives the tile. */
static inline Directions board_neighbours(const Board *board, Tile tile) {
    Directions found = {0};
    for (Compass way = NORTH; way <= WEST; way++)
        if (strcmp(board_ground(board, tile_beside(tile, way)), "abyss")) found.at[found.count++] = way;
    return found;
}

/* Squares along rows and columns, as the range of towers counts (8.3). For lanes see board_lane_steps. */
static inline int board_distance(const Board *board, Tile a, Tile b) {
    (void)board;
    return abs(a.x - b.x) + abs(a.y - b.y);
}

/* Whether a tower of this kind on one tile has another in its range, under the rules of this match (8.3). */
static inline bool board_reaches(const Board *board, Kind kind, Tile tower, Tile target) {
    return tile_in(&board->covers[kind], (Tile){target.x - tower.x, target.y - tower.y}) != NOWHERE;
}

/* The number of the lane on which a tile lies, as red counts them (1.8), or -1. */
static inline int board_lane(const Board *board, Tile tile) {
    return is_inside(board, tile) ? board->lane[tile.y * board->width + tile.x] : NOWHERE;
}

/* The number of steps along the lane from a tile to a player's base (1.4), or -1. */
static inline int board_lane_steps(const Board *board, Tile tile, const char *player) {
    int lane = board_lane(board, tile);
    if (lane == NOWHERE) return NOWHERE;
    int step = board->step[tile.y * board->width + tile.x];
    return strcmp(player, "red") ? board->lengths[lane] + 1 - step : step;
}

/* ---- what is where */

/* The tower on a tile, or NULL. */
static inline const Tower *board_tower(const Board *board, Tile tile) {
    int at = tile_in(&board->towers, tile);
    return at == NOWHERE ? NULL : &board->tower[at];
}

/* The unit on a tile, or NULL. */
static inline const Unit *board_unit(const Board *board, Tile tile) {
    int at = tile_in(&board->units, tile);
    return at == NOWHERE ? NULL : &board->unit[at];
}

/* The tiles with towers of a player. */
static inline Tiles board_towers(const Board *board, const char *owner) {
    Tiles found = {0};
    for (int i = 0; i < board->towers.count; i++)
        if (!strcmp(board->tower[i].owner, owner)) found.at[found.count++] = board->towers.at[i];
    return found;
}

static inline Tiles board_units_of(const Board *board, const char *kind, const char *side) {
    Tiles found = {0};
    for (int i = 0; i < board->units.count; i++)
        if (!strcmp(board->unit[i].kind, kind) && !strcmp(board->unit[i].side, side))
            found.at[found.count++] = board->units.at[i];
    return found;
}

/* The tiles with mercenaries of a player. */
static inline Tiles board_mercenaries(const Board *board, const char *owner) {
    return board_units_of(board, "mercenary", owner);
}

/* The tiles with demons on their way to a player's base. */
static inline Tiles board_demons(const Board *board, const char *target) {
    return board_units_of(board, "demon", target);
}

/* The tiles on which you can build: your territory without towers (3.3, 3.4), row by row. */
static inline Tiles board_sites(const Board *board) {
    Tiles found = {0};
    for (int i = 0; i < board->width * board->height; i++) {
        Tile tile = {i % board->width, i / board->width};
        bool own = !strcmp(board_ground(board, tile), board->seat);
        if (own && !board_tower(board, tile)) found.at[found.count++] = tile;
    }
    return found;
}

/* The directions in which you can send mercenaries (4.2). */
static inline Directions board_exits(const Board *board) {
    Directions found = {0};
    for (Compass way = NORTH; way <= WEST; way++)
        if (board->exits[way]) found.at[found.count++] = way;
    return found;
}

/* What a tower costs you now (8.1, 11.4). */
static inline int board_price(const Board *board, Kind kind) { return board->prices[kind]; }

/* ---- orders */

/* Builds a tower (3.2). */
static inline Order build_order(Kind kind, Tile tile) {
    Order order;
    snprintf(order.text, sizeof order.text, "build %s %d,%d", KIND_NAMES[kind], tile.x, tile.y);
    return order;
}

/* Destroys one of your towers (3.7). */
static inline Order destroy_order(Tile tile) {
    Order order;
    snprintf(order.text, sizeof order.text, "destroy %d,%d", tile.x, tile.y);
    return order;
}

/* Hires a mercenary and sends it this way (4.1). */
static inline Order hire_order(Compass way) {
    Order order;
    snprintf(order.text, sizeof order.text, "hire %s", COMPASS_NAMES[way]);
    return order;
}

/* Provokes the demons, under the rules of the finals (11.10). */
static inline Order provoke_order(void) { return (Order){"provoke"}; }

#endif
