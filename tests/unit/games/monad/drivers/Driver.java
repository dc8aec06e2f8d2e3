// Answers questions with the helper for Monad in Java.

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

class Driver extends Driving {
    private Monad board;

    @Override
    void begin(String setting, String seat, String view) {
        board = new Monad(setting, seat);
        board.update(view);
    }

    private Monad.Tile tile(int i) {
        return new Monad.Tile(Json.whole(list(i).get(0)), Json.whole(list(i).get(1)));
    }

    private static List<Integer> pair(Monad.Tile tile) {
        return List.of(tile.x(), tile.y());
    }

    private static List<List<Integer>> pairs(Collection<Monad.Tile> tiles) {
        return tiles.stream().map(Driver::pair).toList();
    }

    private Monad.Direction way(int i) {
        return Monad.Direction.valueOf(text(i).toUpperCase());
    }

    private Object near() {
        Map<Monad.Direction, Object> found = new LinkedHashMap<>();
        board.neighbours(tile(1)).forEach((way, there) -> found.put(way, pair(there)));
        return found;
    }

    private Object building() {
        Monad.Building found = board.building(tile(1));
        return found == null ? null : List.of(found.owner(), found.direction(), found.points());
    }

    @Override
    Object answer(String name) {
        return switch (name) {
            case "blocked" -> board.blocked(tile(1));
            case "neighbours" -> near();
            case "distance" -> orNull(board.distance(tile(1), tile(2)));
            case "towards" -> board.towards(tile(1), tile(2));
            case "owner" -> board.owner(tile(1));
            case "units" -> board.units(tile(1));
            case "ore" -> board.ore(tile(1));
            case "stacks" -> pairs(board.stacks(text(1)));
            case "building" -> building();
            case "cores" -> pairs(board.cores(text(1)));
            case "covered" -> board.covered(tile(1));
            case "sites" -> board.sites(tile(1));
            case "stock" -> board.stock;
            case "move_order" -> Monad.moveOrder(tile(1), way(2), number(3));
            case "build_order" -> Monad.buildOrder(tile(1), way(2), number(3));
            case "work_order" -> Monad.workOrder(tile(1), number(2));
            case "mine_order" -> Monad.mineOrder(tile(1), number(2));
            default -> throw new IllegalArgumentException(name);
        };
    }

    public static void main(String[] arguments) throws IOException {
        new Driver().answerAll();
    }
}
