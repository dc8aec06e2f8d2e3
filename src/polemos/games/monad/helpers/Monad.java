// Helpers for Monad: the map, distances, who is where, and orders. Needs Json.java of the starter kit.
//
//   Monad board = new Monad(Json.member(message, "setting"), Json.member(message, "seat")); // once, from hello
//   board.update(Json.member(message, "view")); // each turn
//   for (Monad.Tile tile : board.stacks(board.seat)) {
//       List<Monad.Direction> ways = board.towards(tile, new Monad.Tile(4, 7));
//       if (ways.isEmpty()) continue;
//       String order = Monad.moveOrder(tile, ways.get(0), board.units(tile));
//       out.println("{\"type\":\"order\",\"order\":\"" + order + "\"}");
//   }
//
// Numbers in brackets are paragraphs of the rule book.

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The whole board as it is now. */
class Monad {
    record Tile(int x, int y) {
        /** The tile next to this one in a direction (1.2). */
        Tile beside(Direction way) {
            return new Tile(x + way.dx, y + way.dy);
        }

        private static Tile of(String object) {
            return new Tile(Json.whole(Json.member(object, "x")), Json.whole(Json.member(object, "y")));
        }
    }

    enum Direction {
        UP(0, -1, 1, -1), RIGHT(1, 0, 1, 1), DOWN(0, 1, -1, 1), LEFT(-1, 0, -1, -1);

        final int dx, dy; // one step (1.2)
        final int blockX, blockY; // where the block of a building lies, seen from its core (5.2)

        Direction(int dx, int dy, int blockX, int blockY) {
            this.dx = dx;
            this.dy = dy;
            this.blockX = blockX;
            this.blockY = blockY;
        }

        @Override
        public String toString() {
            return name().toLowerCase();
        }
    }

    /** A building, by its core. */
    record Building(String owner, Direction direction, int points) {}

    private record Stack(String owner, int units) {}

    final String seat;
    int stock; // mine
    private final Map<Tile, Integer> startOre = new HashMap<>();
    private Map<Tile, Integer> ore = startOre;
    private final Map<Tile, Stack> stacks = new LinkedHashMap<>();
    private final Map<Tile, Building> buildings = new LinkedHashMap<>();
    private final Set<Tile> covered = new HashSet<>();
    private final Map<Tile, Map<Tile, Integer>> fields = new HashMap<>(); // distances, worked out once per target

    Monad(String setting, String seat) {
        this.seat = Json.string(seat);
        List<String> rows = Json.elements(Json.member(setting, "ore"));
        for (int y = 0; y < rows.size(); y++) {
            List<String> row = Json.elements(rows.get(y));
            for (int x = 0; x < row.size(); x++) {
                if (Json.whole(row.get(x)) >= 0) startOre.put(new Tile(x, y), Json.whole(row.get(x)));
            }
        }
    }

    /** Reads the view of this turn. */
    void update(String view) {
        stock = Json.whole(Json.member(Json.member(view, "stock"), seat));
        ore = new HashMap<>(startOre);
        for (String left : Json.elements(Json.member(view, "ore"))) {
            ore.put(Tile.of(left), Json.whole(Json.member(left, "left")));
        }
        stacks.clear();
        for (String stack : Json.elements(Json.member(view, "stacks"))) {
            String owner = Json.string(Json.member(stack, "owner"));
            stacks.put(Tile.of(stack), new Stack(owner, Json.whole(Json.member(stack, "units"))));
        }
        buildings.clear();
        covered.clear();
        for (String found : Json.elements(Json.member(view, "buildings"))) {
            Direction way = Direction.valueOf(Json.string(Json.member(found, "direction")).toUpperCase());
            String owner = Json.string(Json.member(found, "owner"));
            buildings.put(Tile.of(found), new Building(owner, way, Json.whole(Json.member(found, "points"))));
            covered.addAll(block(Tile.of(found), way));
        }
    }

    // ---- the map

    /** Whether nobody can enter a tile: it is blocked (1.4) or not on the board. */
    boolean blocked(Tile tile) {
        return !startOre.containsKey(tile);
    }

    /** The tiles that a unit can enter from here, by direction (1.2, 4.1). */
    Map<Direction, Tile> neighbours(Tile tile) {
        Map<Direction, Tile> found = new LinkedHashMap<>();
        for (Direction way : Direction.values()) {
            if (!blocked(tile.beside(way))) found.put(way, tile.beside(way));
        }
        return found;
    }

    /** The number of moves from tile to tile, around blocked tiles; -1 if there is no way. */
    int distance(Tile start, Tile target) {
        return fields.computeIfAbsent(target, this::field).getOrDefault(start, -1);
    }

    /** Every direction that begins a shortest way; empty if there is none, or if you are there. */
    List<Direction> towards(Tile start, Tile target) {
        List<Direction> found = new ArrayList<>();
        int here = distance(start, target);
        neighbours(start).forEach((way, there) -> {
            if (here > 0 && distance(there, target) == here - 1) found.add(way);
        });
        return found;
    }

    private Map<Tile, Integer> field(Tile target) {
        Map<Tile, Integer> found = new HashMap<>();
        Deque<Tile> queue = new ArrayDeque<>();
        if (!blocked(target)) {
            found.put(target, 0);
            queue.add(target);
        }
        while (!queue.isEmpty()) {
            Tile tile = queue.remove();
            for (Tile there : neighbours(tile).values()) {
                if (found.putIfAbsent(there, found.get(tile) + 1) == null) queue.add(there);
            }
        }
        return found;
    }

    // ---- what is where

    /** Whose units stand on a tile, or null. */
    String owner(Tile tile) {
        return stacks.containsKey(tile) ? stacks.get(tile).owner() : null;
    }

    /** How many units stand on a tile, whoever owns them. */
    int units(Tile tile) {
        return stacks.containsKey(tile) ? stacks.get(tile).units() : 0;
    }

    /** How much ore is left on a tile. */
    int ore(Tile tile) {
        return ore.getOrDefault(tile, 0);
    }

    /** The tiles with units of a player, in reading order. */
    List<Tile> stacks(String owner) {
        return stacks.keySet().stream().filter(tile -> stacks.get(tile).owner().equals(owner)).toList();
    }

    /** The building whose core is on this tile (5.1), or null. */
    Building building(Tile tile) {
        return buildings.get(tile);
    }

    /** The cores of a player's buildings, in reading order. */
    List<Tile> cores(String owner) {
        return buildings.keySet().stream().filter(tile -> buildings.get(tile).owner().equals(owner)).toList();
    }

    /** Whether a tile is part of a building. */
    boolean covered(Tile tile) {
        return covered.contains(tile);
    }

    /** The directions in which a building has room here (5.3). Whether you can pay for it is another question. */
    List<Direction> sites(Tile core) {
        List<Direction> found = new ArrayList<>();
        for (Direction way : Direction.values()) {
            if (block(core, way).stream().noneMatch(tile -> blocked(tile) || covered(tile))) found.add(way);
        }
        return found;
    }

    /** The four tiles of a building, the core first (5.2). */
    static List<Tile> block(Tile core, Direction way) {
        int x = core.x() + way.blockX, y = core.y() + way.blockY;
        return List.of(core, new Tile(x, core.y()), new Tile(core.x(), y), new Tile(x, y));
    }

    // ---- orders

    /** Units go one step (4.1). */
    static String moveOrder(Tile tile, Direction direction, int number) {
        return "move " + tile.x() + "," + tile.y() + " " + direction + " " + number;
    }

    /** Units found a building (5); one is enough. */
    static String buildOrder(Tile tile, Direction direction, int number) {
        return "build " + tile.x() + "," + tile.y() + " " + direction + " " + number;
    }

    /** Units work in your building; 5 count (6.1, 6.3). */
    static String workOrder(Tile tile, int number) {
        return "work " + tile.x() + "," + tile.y() + " " + number;
    }

    /** Units mine, 1 ore each (7.1). */
    static String mineOrder(Tile tile, int number) {
        return "mine " + tile.x() + "," + tile.y() + " " + number;
    }
}
