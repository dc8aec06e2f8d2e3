/* Helpers for Monad: the map, distances, who is where, and orders. Needs json.h of the starter kit.

       #include "monad.h"

       static Board board;
       board_begin(&board, member(message, "setting"), member(message, "seat")); // once, from hello
       board_update(&board, member(message, "view"));                            // each turn
       Tiles mine = board_stacks(&board, board.seat);
       for (int i = 0; i < mine.count; i++) {
           Directions ways = board_towards(&board, mine.at[i], (Tile){4, 7});
           if (!ways.count) continue;
           Order order = move_order(mine.at[i], ways.at[0], board_units(&board, mine.at[i]));
           printf("{\"type\":\"order\",\"order\":\"%s\"}\n", order.text);
       }

   Numbers in brackets are paragraphs of the rule book. */

#ifndef MONAD_H
#define MONAD_H

#include "json.h"

enum { MAX_SIDE = 64, MAX_TILES = MAX_SIDE * MAX_SIDE, MAX_SEATS = 4, NOBODY = -1, NOWHERE = -1 };

typedef struct {
    int x, y;
} Tile;

typedef struct {
    int count;
    Tile at[MAX_TILES];
} Tiles;

typedef enum { UP, RIGHT, DOWN, LEFT } Direction; /* (1.2) */

typedef struct {
    int count;
    Direction at[4];
} Directions;

typedef struct {
    char text[64];
} Order;

/* What is on a tile. A building belongs to its core (5.1). */
typedef struct {
    int ore, start_ore; /* -1: blocked */
    int owner, units;
    int builder, points; /* NOBODY unless this is a core */
    Direction way; /* of its block (5.2) */
    bool covered;
} Place;

/* The whole board as it is now. */
typedef struct {
    int width, height, seats, stock; /* the stock is mine */
    char seat[16], names[MAX_SEATS][16];
    Place place[MAX_TILES];
    int steps[MAX_TILES]; /* to the target asked for last */
    Tile target;
} Board;

static const char *const DIRECTION_NAMES[] = {"up", "right", "down", "left"};
static const Tile STEPS[] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
static const Tile BLOCKS[] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}}; /* where a building lies, seen from its core (5.2) */

static inline Tile tile_beside(Tile tile, Direction way) {
    return (Tile){tile.x + STEPS[way].x, tile.y + STEPS[way].y};
}

static inline int tile_number(const Board *board, Tile tile) { return tile.y * board->width + tile.x; }

static inline Tile tile_of(const Board *board, int number) {
    return (Tile){number % board->width, number / board->width};
}

static inline int seat_number(const Board *board, Text name) {
    for (int i = 0; i < board->seats; i++)
        if (is_string(name, board->names[i])) return i;
    return NOBODY;
}

static inline void board_begin(Board *board, Text setting, Text seat) {
    memset(board, 0, sizeof *board);
    board->width = whole(member(setting, "width"));
    board->height = whole(member(setting, "height"));
    board->target = (Tile){NOWHERE, NOWHERE};
    copy_string(seat, board->seat, sizeof board->seat);
    for (Text name = first(member(setting, "seats")); name.at; name = next(name))
        copy_string(name, board->names[board->seats++], sizeof board->names[0]);
    Place *place = board->place;
    for (Text row = first(member(setting, "ore")); row.at; row = next(row))
        for (Text ore = first(row); ore.at; ore = next(ore)) (place++)->start_ore = whole(ore);
}

/* ---- the map */

/* Whether nobody can enter a tile: it is blocked (1.4) or not on the board. */
static inline bool board_blocked(const Board *board, Tile tile) {
    if (tile.x < 0 || tile.y < 0 || tile.x >= board->width || tile.y >= board->height) return true;
    return board->place[tile_number(board, tile)].start_ore < 0;
}

/* The directions in which a unit can go from here (1.2, 4.1); tile_beside gives the tile. */
static inline Directions board_neighbours(const Board *board, Tile tile) {
    Directions found = {0};
    for (Direction way = UP; way <= LEFT; way++)
        if (!board_blocked(board, tile_beside(tile, way))) found.at[found.count++] = way;
    return found;
}

/* The number of moves from tile to tile, around blocked tiles; -1 if there is no way. */
static inline int board_distance(Board *board, Tile start, Tile target) {
    static int queue[MAX_TILES];
    if (board_blocked(board, start) || board_blocked(board, target)) return -1;
    if (board->target.x != target.x || board->target.y != target.y) {
        int *steps = board->steps, head = 0, tail = 0;
        for (int i = 0; i < MAX_TILES; i++) steps[i] = -1;
        board->target = target;
        queue[tail++] = tile_number(board, target);
        steps[queue[0]] = 0;
        while (head < tail) {
            int here = queue[head++];
            Directions near = board_neighbours(board, tile_of(board, here));
            for (int i = 0; i < near.count; i++) {
                int there = tile_number(board, tile_beside(tile_of(board, here), near.at[i]));
                if (steps[there] >= 0) continue;
                steps[there] = steps[here] + 1;
                queue[tail++] = there;
            }
        }
    }
    return board->steps[tile_number(board, start)];
}

/* Every direction that begins a shortest way; empty if there is none, or if you are there. */
static inline Directions board_towards(Board *board, Tile start, Tile target) {
    Directions found = {0}, near = board_neighbours(board, start);
    int here = board_distance(board, start, target);
    for (int i = 0; here > 0 && i < near.count; i++) {
        Tile there = tile_beside(start, near.at[i]);
        if (board_distance(board, there, target) == here - 1) found.at[found.count++] = near.at[i];
    }
    return found;
}

/* The four tiles of a building, the core first (5.2). */
typedef struct {
    Tile at[4];
} Block;

static inline Block block(Tile core, Direction way) {
    int x = core.x + BLOCKS[way].x, y = core.y + BLOCKS[way].y;
    return (Block){{core, {x, core.y}, {core.x, y}, {x, y}}};
}

/* ---- what is where */

/* Reads the view of this turn. */
static inline void board_update(Board *board, Text view) {
    board->stock = whole(member(member(view, "stock"), board->seat));
    for (int i = 0; i < MAX_TILES; i++) {
        int ore = board->place[i].start_ore;
        board->place[i] = (Place){.ore = ore, .start_ore = ore, .owner = NOBODY, .builder = NOBODY};
    }
    for (Text ore = first(member(view, "ore")); ore.at; ore = next(ore)) {
        Tile tile = {whole(member(ore, "x")), whole(member(ore, "y"))};
        board->place[tile_number(board, tile)].ore = whole(member(ore, "left"));
    }
    for (Text stack = first(member(view, "stacks")); stack.at; stack = next(stack)) {
        Tile tile = {whole(member(stack, "x")), whole(member(stack, "y"))};
        Place *place = &board->place[tile_number(board, tile)];
        place->owner = seat_number(board, member(stack, "owner"));
        place->units = whole(member(stack, "units"));
    }
    for (Text building = first(member(view, "buildings")); building.at; building = next(building)) {
        Tile core = {whole(member(building, "x")), whole(member(building, "y"))};
        Place *place = &board->place[tile_number(board, core)];
        place->builder = seat_number(board, member(building, "owner"));
        place->points = whole(member(building, "points"));
        while (!is_string(member(building, "direction"), DIRECTION_NAMES[place->way])) place->way++;
        Block tiles = block(core, place->way);
        for (int i = 0; i < 4; i++) board->place[tile_number(board, tiles.at[i])].covered = true;
    }
}

static const Place NOTHING = {.owner = NOBODY, .builder = NOBODY};

/* Everything on a tile. */
static inline Place board_place(const Board *board, Tile tile) {
    return board_blocked(board, tile) ? NOTHING : board->place[tile_number(board, tile)];
}

/* Whose units stand on a tile, or NULL. */
static inline const char *board_owner(const Board *board, Tile tile) {
    int owner = board_place(board, tile).owner;
    return owner == NOBODY ? NULL : board->names[owner];
}

/* How many units stand on a tile, whoever owns them. */
static inline int board_units(const Board *board, Tile tile) { return board_place(board, tile).units; }

/* How much ore is left on a tile. */
static inline int board_ore(const Board *board, Tile tile) { return board_place(board, tile).ore; }

/* Whose building has its core on this tile, or NULL; board_place tells its points and its direction. */
static inline const char *board_building(const Board *board, Tile tile) {
    int builder = board_place(board, tile).builder;
    return builder == NOBODY ? NULL : board->names[builder];
}

/* Whether a tile is part of a building. */
static inline bool board_covered(const Board *board, Tile tile) { return board_place(board, tile).covered; }

/* The tiles with units of a player, in reading order. */
static inline Tiles board_stacks(const Board *board, const char *owner) {
    Tiles found = {0};
    for (int i = 0; i < board->width * board->height; i++) {
        const char *name = board_owner(board, tile_of(board, i));
        if (name && !strcmp(name, owner)) found.at[found.count++] = tile_of(board, i);
    }
    return found;
}

/* The cores of a player's buildings, in reading order. */
static inline Tiles board_cores(const Board *board, const char *owner) {
    Tiles found = {0};
    for (int i = 0; i < board->width * board->height; i++) {
        const char *name = board_building(board, tile_of(board, i));
        if (name && !strcmp(name, owner)) found.at[found.count++] = tile_of(board, i);
    }
    return found;
}

/* The directions in which a building has room here (5.3). Whether you can pay for it is another question. */
static inline Directions board_sites(const Board *board, Tile core) {
    Directions found = {0};
    for (Direction way = UP; way <= LEFT; way++) {
        Block tiles = block(core, way);
        int free = 0;
        while (free < 4 && !board_blocked(board, tiles.at[free]) && !board_covered(board, tiles.at[free])) free++;
        if (free == 4) found.at[found.count++] = way;
    }
    return found;
}

/* ---- orders */

static inline Order written(const char *word, Tile tile, const char *way, int number) {
    Order order;
    snprintf(order.text, sizeof order.text, "%s %d,%d%s%s %d", word, tile.x, tile.y, *way ? " " : "", way, number);
    return order;
}

/* Units go one step (4.1). */
static inline Order move_order(Tile tile, Direction way, int number) {
    return written("move", tile, DIRECTION_NAMES[way], number);
}

/* Units found a building (5); one is enough. */
static inline Order build_order(Tile tile, Direction way, int number) {
    return written("build", tile, DIRECTION_NAMES[way], number);
}

/* Units work in your building; 5 count (6.1, 6.3). */
static inline Order work_order(Tile tile, int number) { return written("work", tile, "", number); }

/* Units mine, 1 ore each (7.1). */
static inline Order mine_order(Tile tile, int number) { return written("mine", tile, "", number); }

#endif
