// Answers questions with the helper for Minions in Java.

import java.io.IOException;
import java.util.List;

class Driver extends Driving {
    private Minions board;

    @Override
    void begin(String setting, String seat, String view) {
        board = new Minions(setting, seat);
        board.update(view);
    }

    private Object unit() {
        Minions.Unit unit = board.unit(number(1), text(2));
        if (unit == null) return null;
        Minions.Type type = unit.type();
        return List.of(unit.side(), type.name(), unit.letter(), unit.damage(), type.speed(), type.range(),
            type.flying(), type.spawn(), unit.fresh(), unit.done());
    }

    private List<Minions.Move> moves(int i) {
        return list(i).stream().map(Json::elements)
            .map(pair -> new Minions.Move(Json.string(pair.get(0)), Json.string(pair.get(1)))).toList();
    }

    @Override
    Object answer(String name) {
        int at = number(1);
        return switch (name) {
            case "ground" -> board.ground(at, text(2));
            case "graveyards" -> board.graveyards(at);
            case "neighbours" -> board.neighbours(text(1));
            case "distance" -> board.distance(text(1), text(2));
            case "walk" -> orNull(board.walk(at, text(2), text(3)));
            case "moves" -> board.moves(at, text(2));
            case "unit" -> unit();
            case "state" -> board.state(at);
            case "units" -> board.units(at, text(2));
            case "targets" -> board.targets(at, text(2));
            case "spawns" -> board.spawns(at, text(2));
            case "in_zone" -> board.inZone(at, text(2), text(3));
            case "money" -> board.money(text(1));
            case "move_order" -> Minions.moveOrder(at, text(2), text(3));
            case "tick_order" -> Minions.tickOrder(at, moves(2));
            case "attack_order" -> Minions.attackOrder(at, text(2), text(3));
            case "buy_order" -> Minions.buyOrder(at, text(2));
            case "spawn_order" -> Minions.spawnOrder(at, text(2), text(3));
            case "choose_order" -> Minions.chooseOrder(at, text(2), text(3));
            case "resign_order" -> Minions.resignOrder(at);
            case "march_order" -> Minions.marchOrder();
            case "tech_order" -> Minions.techOrder(at);
            case "end_order" -> Minions.endOrder();
            default -> throw new IllegalArgumentException(name);
        };
    }

    public static void main(String[] arguments) throws IOException {
        new Driver().answerAll();
    }
}
