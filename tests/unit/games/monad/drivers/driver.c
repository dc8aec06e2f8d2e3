/* Answers questions with the helper for Monad in C. */

#include "driving.h"
#include "monad.h"

static Board board;

static inline void begin(Text setting, Text seat, Text view) {
    board_begin(&board, setting, seat);
    board_update(&board, view);
}

static Tile tile(int i) {
    Text x = first(asked[i]);
    return (Tile){whole(x), whole(next(x))};
}

static Direction direction(int i) {
    Direction way = UP;
    while (strcmp(DIRECTION_NAMES[way], string(i))) way++;
    return way;
}

static void say_tiles(Tiles tiles) {
    printf("[");
    for (int i = 0; i < tiles.count; i++) printf("%s[%d,%d]", i ? "," : "", tiles.at[i].x, tiles.at[i].y);
    printf("]");
}

static void say_directions(Directions ways) {
    printf("[");
    for (int i = 0; i < ways.count; i++) printf("%s\"%s\"", i ? "," : "", DIRECTION_NAMES[ways.at[i]]);
    printf("]");
}

static inline void answer(void) {
    if (is_about("blocked")) say_bool(board_blocked(&board, tile(1)));
    if (is_about("neighbours")) {
        Directions ways = board_neighbours(&board, tile(1));
        printf("{");
        for (int i = 0; i < ways.count; i++) {
            Tile there = tile_beside(tile(1), ways.at[i]);
            printf("%s\"%s\":[%d,%d]", i ? "," : "", DIRECTION_NAMES[ways.at[i]], there.x, there.y);
        }
        printf("}");
    }
    if (is_about("distance")) say_number(board_distance(&board, tile(1), tile(2)));
    if (is_about("towards")) say_directions(board_towards(&board, tile(1), tile(2)));
    if (is_about("owner")) say_string(board_owner(&board, tile(1)));
    if (is_about("units")) say_number(board_units(&board, tile(1)));
    if (is_about("ore")) say_number(board_ore(&board, tile(1)));
    if (is_about("stacks")) say_tiles(board_stacks(&board, string(1)));
    if (is_about("cores")) say_tiles(board_cores(&board, string(1)));
    if (is_about("covered")) say_bool(board_covered(&board, tile(1)));
    if (is_about("sites")) say_directions(board_sites(&board, tile(1)));
    if (is_about("stock")) say_number(board.stock);
    if (is_about("building")) {
        const char *owner = board_building(&board, tile(1));
        Place place = board_place(&board, tile(1));
        if (owner)
            printf("[\"%s\",\"%s\",%d]", owner, DIRECTION_NAMES[place.way], place.points);
        else
            printf("null");
    }
    if (is_about("move_order")) say_string(move_order(tile(1), direction(2), number(3)).text);
    if (is_about("build_order")) say_string(build_order(tile(1), direction(2), number(3)).text);
    if (is_about("work_order")) say_string(work_order(tile(1), number(2)).text);
    if (is_about("mine_order")) say_string(mine_order(tile(1), number(2)).text);
}
