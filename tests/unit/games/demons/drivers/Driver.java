// Answers questions with the helper for Demons in Java.

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

class Driver extends Driving {
    private Demons board;

    @Override
    void begin(String setting, String seat, String view) {
        board = new Demons(setting, seat);
        board.update(view);
    }

    private Demons.Tile tile(int i) {
        return new Demons.Tile(Json.whole(list(i).get(0)), Json.whole(list(i).get(1)));
    }

    private Demons.Kind kind(int i) {
        return Demons.Kind.valueOf(text(i).toUpperCase());
    }

    private static List<Integer> pair(Demons.Tile tile) {
        return List.of(tile.x(), tile.y());
    }

    private static List<List<Integer>> pairs(Collection<Demons.Tile> tiles) {
        return tiles.stream().map(Driver::pair).toList();
    }

    private Object near() {
        Map<Demons.Compass, Object> found = new LinkedHashMap<>();
        board.neighbours(tile(1)).forEach((way, there) -> found.put(way, pair(there)));
        return found;
    }

    private Object tower() {
        Demons.Tower found = board.tower(tile(1));
        return found == null ? null : List.of(found.kind(), found.owner(), found.cooldown());
    }

    private Object unit() {
        Demons.Unit found = board.unit(tile(1));
        return found == null ? null : List.of(found.kind(), found.side(), found.health(), found.damage());
    }

    @Override
    Object answer(String name) {
        return switch (name) {
            case "ground" -> board.ground(tile(1));
            case "neighbours" -> near();
            case "distance" -> board.distance(tile(1), tile(2));
            case "reaches" -> board.reaches(kind(1), tile(2), tile(3));
            case "lane" -> orNull(board.lane(tile(1)));
            case "lane_steps" -> orNull(board.laneSteps(tile(1), text(2)));
            case "tower" -> tower();
            case "unit" -> unit();
            case "towers" -> pairs(board.towers(text(1)));
            case "mercenaries" -> pairs(board.mercenaries(text(1)));
            case "demons" -> pairs(board.demons(text(1)));
            case "sites" -> pairs(board.sites());
            case "exits" -> board.exits();
            case "gold" -> board.gold;
            case "price" -> board.price(kind(1));
            case "build_order" -> Demons.buildOrder(kind(1), tile(2));
            case "destroy_order" -> Demons.destroyOrder(tile(1));
            case "hire_order" -> Demons.hireOrder(Demons.Compass.valueOf(text(1)));
            case "provoke_order" -> Demons.provokeOrder();
            default -> throw new IllegalArgumentException(name);
        };
    }

    public static void main(String[] arguments) throws IOException {
        new Driver().answerAll();
    }
}
