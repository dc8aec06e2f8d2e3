/* Answers questions with the helper for Monarchs in C. */

#include "driving.h"
#include "monarchs.h"

static Board board;

static inline void begin(Text setting, Text seat, Text view) {
    board_begin(&board, setting, seat);
    board_update(&board, view);
}

static void say_hexes(Hexes hexes) {
    printf("[");
    for (int i = 0; i < hexes.count; i++) printf("%s\"%s\"", i ? "," : "", hexes.at[i]);
    printf("]");
}

static inline void answer(void) {
    if (is_about("hexes")) say_hexes(board_hexes(&board));
    if (is_about("neighbours")) say_hexes(board_neighbours(&board, string(1)));
    if (is_about("base")) say_string(board_base(&board, string(1)));
    if (is_about("centre")) say_string(board.centre);
    if (is_about("distance")) say_number(board_distance(&board, string(1), string(2)));
    if (is_about("towards")) say_hexes(board_towards(&board, string(1), string(2)));
    if (is_about("seen")) say_bool(board_seen(&board, string(1)));
    if (is_about("owner")) say_string(board_owner(&board, string(1)));
    if (is_about("regiments")) say_number(board_regiments(&board, string(1)));
    if (is_about("land")) say_hexes(board_land(&board, string(1)));
    if (is_about("armies")) say_hexes(board_armies(&board, string(1)));
    if (is_about("march_order")) say_string(march_order(string(1), string(2), number(3)).text);
    if (is_about("bless_order")) say_string(bless_order(string(1)).text);
}
