/* Answers questions with the helper for Demons in C. */

#include "driving.h"
#include "demons.h"

static Board board;

static inline void begin(Text setting, Text seat, Text view) {
    board_begin(&board, setting, seat);
    board_update(&board, view);
}

static Tile tile(int i) { return tile_of_pair(asked[i]); }

static Kind kind(int i) {
    Kind found = HOUSE;
    while (strcmp(KIND_NAMES[found], string(i))) found++;
    return found;
}

static Compass compass(int i) {
    Compass way = NORTH;
    while (strcmp(COMPASS_NAMES[way], string(i))) way++;
    return way;
}

static void say_tiles(Tiles tiles) {
    printf("[");
    for (int i = 0; i < tiles.count; i++) printf("%s[%d,%d]", i ? "," : "", tiles.at[i].x, tiles.at[i].y);
    printf("]");
}

static void say_thing(const Tower *tower, const Unit *unit) {
    if (tower)
        printf("[\"%s\",\"%s\",%d]", KIND_NAMES[tower->kind], tower->owner, tower->cooldown);
    else if (unit)
        printf("[\"%s\",\"%s\",%d,%d]", unit->kind, unit->side, unit->health, unit->damage);
    else
        printf("null");
}

static inline void answer(void) {
    if (is_about("ground")) say_string(board_ground(&board, tile(1)));
    if (is_about("neighbours")) {
        Directions ways = board_neighbours(&board, tile(1));
        printf("{");
        for (int i = 0; i < ways.count; i++) {
            Tile there = tile_beside(tile(1), ways.at[i]);
            printf("%s\"%s\":[%d,%d]", i ? "," : "", COMPASS_NAMES[ways.at[i]], there.x, there.y);
        }
        printf("}");
    }
    if (is_about("distance")) say_number(board_distance(&board, tile(1), tile(2)));
    if (is_about("reaches")) say_bool(board_reaches(&board, kind(1), tile(2), tile(3)));
    if (is_about("lane")) say_number(board_lane(&board, tile(1)));
    if (is_about("lane_steps")) say_number(board_lane_steps(&board, tile(1), string(2)));
    if (is_about("tower")) say_thing(board_tower(&board, tile(1)), NULL);
    if (is_about("unit")) say_thing(NULL, board_unit(&board, tile(1)));
    if (is_about("towers")) say_tiles(board_towers(&board, string(1)));
    if (is_about("mercenaries")) say_tiles(board_mercenaries(&board, string(1)));
    if (is_about("demons")) say_tiles(board_demons(&board, string(1)));
    if (is_about("sites")) say_tiles(board_sites(&board));
    if (is_about("exits")) {
        Directions ways = board_exits(&board);
        printf("[");
        for (int i = 0; i < ways.count; i++) printf("%s\"%s\"", i ? "," : "", COMPASS_NAMES[ways.at[i]]);
        printf("]");
    }
    if (is_about("gold")) say_number(board.gold);
    if (is_about("price")) say_number(board_price(&board, kind(1)));
    if (is_about("build_order")) say_string(build_order(kind(1), tile(2)).text);
    if (is_about("destroy_order")) say_string(destroy_order(tile(1)).text);
    if (is_about("hire_order")) say_string(hire_order(compass(1)).text);
    if (is_about("provoke_order")) say_string(provoke_order().text);
}
