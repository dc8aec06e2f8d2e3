/* Answers questions with the helper for Minions in C. */

#include "driving.h"
#include "minions.h"

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

static void say_unit(const Unit *unit) {
    if (!unit) {
        printf("null");
        return;
    }
    const Type *type = unit->type;
    printf("[\"%s\",\"%s\",\"%s\",%d,", unit->side, type->name, unit->letter, unit->damage);
    printf("%d,%d", type->speed, type->range);
    bool marks[] = {type->flying, type->spawn, unit->fresh, unit->done};
    for (int i = 0; i < 4; i++) printf(",%s", marks[i] ? "true" : "false");
    printf("]");
}

static inline void answer(void) {
    int at = number(1);
    if (is_about("ground")) say_string(board_ground(&board, at, string(2)));
    if (is_about("graveyards")) say_hexes(board_graveyards(&board, at));
    if (is_about("neighbours")) say_hexes(board_neighbours(&board, string(1)));
    if (is_about("distance")) say_number(board_distance(&board, string(1), string(2)));
    if (is_about("walk")) say_number(board_walk(&board, at, string(2), string(3)));
    if (is_about("moves")) say_hexes(board_moves(&board, at, string(2)));
    if (is_about("unit")) say_unit(board_unit(&board, at, string(2)));
    if (is_about("state")) say_string(board_state(&board, at));
    if (is_about("units")) say_hexes(board_units(&board, at, string(2)));
    if (is_about("targets")) say_hexes(board_targets(&board, at, string(2)));
    if (is_about("spawns")) say_hexes(board_spawns(&board, at, string(2)));
    if (is_about("in_zone")) say_number(board_in_zone(&board, at, string(2), string(3)));
    if (is_about("money")) say_number(board_money(&board, string(1)));
    if (is_about("move_order")) say_string(move_order(at, string(2), string(3)).text);
    if (is_about("tick_order")) {
        static char names[8][2][4];
        const char *moves[8][2];
        int count = 0;
        for (Text move = first(asked[2]); move.at; move = next(move), count++)
            for (int i = 0; i < 2; i++) {
                copy_string(i ? next(first(move)) : first(move), names[count][i], sizeof names[count][i]);
                moves[count][i] = names[count][i];
            }
        say_string(tick_order(at, count, (const char *const(*)[2])moves).text);
    }
    if (is_about("attack_order")) say_string(attack_order(at, string(2), string(3)).text);
    if (is_about("buy_order")) say_string(buy_order(at, string(2)).text);
    if (is_about("spawn_order")) say_string(spawn_order(at, string(2), string(3)).text);
    if (is_about("choose_order")) say_string(choose_order(at, string(2), string(3)).text);
    if (is_about("resign_order")) say_string(resign_order(at).text);
    if (is_about("march_order")) say_string(march_order().text);
    if (is_about("tech_order")) say_string(tech_order(number(1)).text);
    if (is_about("end_order")) say_string(end_order().text);
}
