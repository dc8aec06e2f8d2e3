// Helpers for Demons: the map, lanes and ranges, what is where, and orders. Needs Json.java of the starter kit.
//
//   Demons board = new Demons(Json.member(message, "setting"), Json.member(message, "seat")); // once, from hello
//   board.update(Json.member(message, "view")); // each turn
//   if (board.gold >= board.price(Demons.Kind.HOUSE)) {
//       String order = Demons.buildOrder(Demons.Kind.HOUSE, board.sites().get(0));
//       out.println("{\"type\":\"order\",\"order\":\"" + order + "\"}");
//   }
//
// Numbers in brackets are paragraphs of the rule book.

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The board as it is now. */
class Demons {
    record Tile(int x, int y) {
        /** The tile next to this one in a direction (1.2). */
        Tile beside(Compass way) {
            return new Tile(x + way.dx, y + way.dy);
        }

        private static Tile of(String object) {
            return new Tile(Json.whole(Json.member(object, "x")), Json.whole(Json.member(object, "y")));
        }

        private static Tile ofPair(String pair) {
            List<String> found = Json.elements(pair);
            return new Tile(Json.whole(found.get(0)), Json.whole(found.get(1)));
        }
    }

    enum Compass {
        N(0, -1), E(1, 0), S(0, 1), W(-1, 0);

        final int dx, dy;

        Compass(int dx, int dy) {
            this.dx = dx;
            this.dy = dy;
        }
    }

    /** A kind of tower. There are churches only under the rules of the finals. */
    enum Kind {
        HOUSE, CROSSBOW, CANNON, MINIGUN, CHURCH;

        @Override
        public String toString() {
            return name().toLowerCase();
        }
    }

    /** A tower on a tile. */
    record Tower(Kind kind, String owner, int cooldown) {}

    /** A unit on a tile: a mercenary and its owner, or a demon and its target. */
    record Unit(String kind, String side, int health, int damage) {}

    final String seat;
    int gold; // mine
    private final List<String> rows = new ArrayList<>();
    private final List<List<Tile>> lanes = new ArrayList<>();
    private final Map<Kind, Set<Tile>> covers = new EnumMap<>(Kind.class); // in steps east and south
    private final Map<Kind, Integer> prices = new EnumMap<>(Kind.class);
    private final List<Compass> exits = new ArrayList<>();
    private final Map<Tile, Tower> towers = new LinkedHashMap<>();
    private final Map<Tile, Unit> units = new LinkedHashMap<>();

    Demons(String setting, String seat) {
        this.seat = Json.string(seat);
        for (String row : Json.elements(Json.member(setting, "rows"))) rows.add(Json.string(row));
        for (String lane : Json.elements(Json.member(setting, "lanes"))) {
            lanes.add(Json.elements(lane).stream().map(Tile::ofPair).toList());
        }
        String reach = Json.member(Json.member(setting, "guide"), "covers");
        for (Kind kind : Kind.values()) {
            Set<Tile> found = new HashSet<>();
            for (String pair : Json.elements(Json.member(reach, kind.toString()))) found.add(Tile.ofPair(pair));
            covers.put(kind, found);
        }
    }

    /** Reads the view of this turn. */
    void update(String view) {
        String base = Json.member(Json.member(view, "bases"), seat);
        gold = Json.whole(Json.member(base, "gold"));
        exits.clear();
        for (Compass way : Compass.values()) {
            if (Json.find(Json.member(base, "queued"), way.name()) != null) exits.add(way);
        }
        String list = Json.member(Json.member(view, "prices"), seat);
        for (Kind kind : Kind.values()) prices.put(kind, Json.whole(Json.member(list, kind.toString())));
        towers.clear();
        for (String found : Json.elements(Json.member(view, "towers"))) {
            Kind kind = Kind.valueOf(Json.string(Json.member(found, "kind")).toUpperCase());
            int cooldown = Json.whole(Json.member(found, "cooldown"));
            towers.put(Tile.of(found), new Tower(kind, Json.string(Json.member(found, "owner")), cooldown));
        }
        units.clear();
        for (String found : Json.elements(Json.member(view, "units"))) {
            String kind = Json.string(Json.member(found, "kind")), side = Json.string(Json.member(found, "side"));
            int health = Json.whole(Json.member(found, "health")), damage = Json.whole(Json.member(found, "damage"));
            units.put(Tile.of(found), new Unit(kind, side, health, damage));
        }
    }

    // ---- the map

    /** What a square is: "red" or "blue" territory, "path", "base" or "abyss" (1.1). */
    String ground(Tile tile) {
        boolean inside = tile.y() >= 0 && tile.y() < rows.size() && tile.x() >= 0 && tile.x() < rows.get(0).length();
        return switch (inside ? rows.get(tile.y()).charAt(tile.x()) : '.') {
            case '.' -> "abyss";
            case 'r', 'p' -> "red";
            case 'b', 'q' -> "blue";
            case 'R', 'B' -> "base";
            default -> "path";
        };
    }

    /** The tiles next to this one, by direction, without the abyss (1.2). */
    Map<Compass, Tile> neighbours(Tile tile) {
        Map<Compass, Tile> found = new EnumMap<>(Compass.class);
        for (Compass way : Compass.values()) {
            if (!ground(tile.beside(way)).equals("abyss")) found.put(way, tile.beside(way));
        }
        return found;
    }

    /** Squares along rows and columns, as the range of towers counts (8.3). For lanes see laneSteps. */
    int distance(Tile a, Tile b) {
        return Math.abs(a.x() - b.x()) + Math.abs(a.y() - b.y());
    }

    /** Whether a tower of this kind on one tile has another in its range, under the rules of this match (8.3). */
    boolean reaches(Kind kind, Tile tower, Tile target) {
        return covers.get(kind).contains(new Tile(target.x() - tower.x(), target.y() - tower.y()));
    }

    /** The number of the lane on which a tile lies, as red counts them (1.8), or -1. */
    int lane(Tile tile) {
        for (int lane = 0; lane < lanes.size(); lane++) {
            if (lanes.get(lane).contains(tile)) return lane;
        }
        return -1;
    }

    /** The number of steps along the lane from a tile to a player's base (1.4), or -1. */
    int laneSteps(Tile tile, String player) {
        if (lane(tile) < 0) return -1;
        List<Tile> lane = lanes.get(lane(tile));
        return player.equals("red") ? lane.indexOf(tile) + 1 : lane.size() - lane.indexOf(tile);
    }

    // ---- what is where

    /** The tower on a tile, or null. */
    Tower tower(Tile tile) {
        return towers.get(tile);
    }

    /** The unit on a tile, or null. */
    Unit unit(Tile tile) {
        return units.get(tile);
    }

    /** The tiles with towers of a player. */
    List<Tile> towers(String owner) {
        return towers.keySet().stream().filter(tile -> tower(tile).owner().equals(owner)).toList();
    }

    /** The tiles with mercenaries of a player. */
    List<Tile> mercenaries(String owner) {
        return unitsOf("mercenary", owner);
    }

    /** The tiles with demons on their way to a player's base. */
    List<Tile> demons(String target) {
        return unitsOf("demon", target);
    }

    private List<Tile> unitsOf(String kind, String side) {
        return units.keySet().stream()
            .filter(tile -> unit(tile).kind().equals(kind) && unit(tile).side().equals(side)).toList();
    }

    /** The tiles on which you can build: your territory without towers (3.3, 3.4), row by row. */
    List<Tile> sites() {
        List<Tile> found = new ArrayList<>();
        for (int y = 0; y < rows.size(); y++) {
            for (int x = 0; x < rows.get(y).length(); x++) {
                Tile tile = new Tile(x, y);
                if (ground(tile).equals(seat) && tower(tile) == null) found.add(tile);
            }
        }
        return found;
    }

    /** The directions in which you can send mercenaries (4.2). */
    List<Compass> exits() {
        return List.copyOf(exits);
    }

    /** What a tower costs you now (8.1, 11.4). */
    int price(Kind kind) {
        return prices.get(kind);
    }

    // ---- orders

    /** Builds a tower (3.2). */
    static String buildOrder(Kind kind, Tile tile) {
        return "build " + kind + " " + tile.x() + "," + tile.y();
    }

    /** Destroys one of your towers (3.7). */
    static String destroyOrder(Tile tile) {
        return "destroy " + tile.x() + "," + tile.y();
    }

    /** Hires a mercenary and sends it this way (4.1). */
    static String hireOrder(Compass direction) {
        return "hire " + direction;
    }

    /** Provokes the demons, under the rules of the finals (11.10). */
    static String provokeOrder() {
        return "provoke";
    }
}
