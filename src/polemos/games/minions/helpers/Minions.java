// Helpers for Minions: the maps, distances, what is where, and orders. Needs Json.java of the starter kit.
//
//   Minions board = new Minions(Json.member(message, "setting"), Json.member(message, "seat")); // once, from hello
//   board.update(Json.member(message, "view")); // each turn, and whenever an update has a view
//   for (String hex : board.units(1, board.seat)) {
//       List<String> free = board.moves(1, hex);
//       if (free.isEmpty()) continue;
//       out.println("{\"type\":\"order\",\"order\":\"" + Minions.moveOrder(1, hex, free.get(0)) + "\"}");
//   }
//
// Boards are numbered from 1. A hex is its name, such as "c2". Numbers in brackets are paragraphs of the rule book.

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All boards of the match as they are now. */
class Minions {
    private static final int[][] STEPS = {{-1, 0}, {1, 0}, {0, 1}, {-1, 1}, {0, -1}, {1, -1}}; // (1.2)
    private static final List<String> HEXES = new ArrayList<>();

    static {
        for (int hex = 0; hex < 100; hex++) HEXES.add("" + (char) ('a' + hex % 10) + hex / 10);
    }

    /** A type of unit (3.1). Units are spawned next to one with spawn. */
    record Type(String name, int speed, int range, boolean flying, boolean spawn) {
        private static Type of(String facts) {
            List<String> words = Json.elements(Json.member(facts, "keywords"));
            int speed = Json.whole(Json.member(facts, "speed")), range = Json.whole(Json.member(facts, "range"));
            boolean flying = words.contains("\"Flying\""), spawn = words.contains("\"Spawn\"");
            return new Type(Json.string(Json.member(facts, "name")), speed, range, flying, spawn);
        }
    }

    /** A unit on a board; N is the letter of necromancers. Fresh: was spawned this turn. Done: has moved, has attacked
     *  or was spawned this turn, so it cannot move. */
    record Unit(String side, Type type, String letter, int damage, boolean fresh, boolean done) {}

    final String seat;
    private final Map<String, Type> types = new HashMap<>(), necromancers = new HashMap<>(); // they may share names
    private final List<String> grounds = new ArrayList<>(); // of each board: G, W or a blank
    private final List<Map<String, Unit>> units = new ArrayList<>();
    private List<String> boards = List.of();
    private String side = "", money = "null"; // the side to move

    Minions(String setting, String seat) {
        this.seat = Json.string(seat);
        for (String facts : Json.elements(Json.member(setting, "units"))) {
            types.put(Type.of(facts).name(), Type.of(facts));
        }
        for (String facts : Json.elements(Json.member(setting, "necromancers"))) {
            necromancers.put(Type.of(facts).name(), Type.of(facts));
        }
        for (String map : Json.elements(Json.member(setting, "maps"))) { // (15.1)
            StringBuilder ground = new StringBuilder();
            for (char sign : Json.string(map).toCharArray()) {
                if (sign == 'G' || sign == 'W') ground.append(sign);
                else if (sign != '/') ground.append(" ".repeat(sign == '0' ? 10 : sign - '0'));
            }
            grounds.add(ground.toString());
        }
    }

    /** Reads the view of this turn. */
    void update(String view) {
        side = Json.string(Json.member(view, "side"));
        money = Json.member(view, "money");
        boards = Json.elements(Json.member(view, "boards"));
        units.clear();
        for (String board : boards) {
            Map<String, Unit> found = new LinkedHashMap<>();
            for (String unit : Json.elements(Json.member(board, "units"))) {
                String letter = Json.string(Json.member(unit, "letter")), name = Json.string(Json.member(unit, "type"));
                boolean fresh = is(unit, "fresh");
                boolean done = fresh || is(unit, "moved") || Json.whole(Json.member(unit, "used")) > 0;
                Type type = (letter.equals("N") ? necromancers : types).get(name);
                int damage = Json.whole(Json.member(unit, "damage"));
                String owner = Json.string(Json.member(unit, "side"));
                found.put(Json.string(Json.member(unit, "hex")), new Unit(owner, type, letter, damage, fresh, done));
            }
            units.add(found);
        }
    }

    private static boolean is(String object, String name) {
        return Json.member(object, name).equals("true");
    }

    // ---- the map

    /** What a hex is: "plain", "graveyard" or "water" (1.4). */
    String ground(int board, String hex) {
        return switch (grounds.get(board - 1).charAt(HEXES.indexOf(hex))) {
            case 'G' -> "graveyard";
            case 'W' -> "water";
            default -> "plain";
        };
    }

    /** The graveyards of a board, rank by rank. */
    List<String> graveyards(int board) {
        return HEXES.stream().filter(hex -> ground(board, hex).equals("graveyard")).toList();
    }

    /** The hexes next to this one (1.2). */
    List<String> neighbours(String hex) {
        List<String> found = new ArrayList<>();
        for (int[] step : STEPS) {
            String there = "" + (char) (hex.charAt(0) + step[0]) + (char) (hex.charAt(1) + step[1]);
            if (HEXES.contains(there)) found.add(there);
        }
        return found;
    }

    /** The distance between two hexes, whatever lies between them (1.3). */
    int distance(String a, String b) {
        int dx = a.charAt(0) - b.charAt(0), dy = a.charAt(1) - b.charAt(1);
        return Math.max(Math.abs(dx + dy), Math.max(Math.abs(dx), Math.abs(dy)));
    }

    /** The steps of the unit on `start` to another hex, around water and enemies, or over them if it flies; -1 without
     *  a way. Its speed does not count here, and friends never block (5.9, 7.1). */
    int walk(int board, String start, String target) {
        return walks(board, start).getOrDefault(target, -1);
    }

    /** The empty hexes to which the unit on `hex` can move now, rank by rank (5). */
    List<String> moves(int board, String hex) {
        Unit unit = unit(board, hex);
        String seen = boards.get(board - 1);
        boolean barred = is(seen, "due") || is(seen, "closed") || is(seen, "resigned");
        if (unit == null || unit.done() || barred || !unit.side().equals(side)) return List.of();
        if (state(board).equals("reset+0")) return List.of();
        Map<String, Integer> walks = walks(board, hex);
        return HEXES.stream()
            .filter(to -> unit(board, to) == null && walks.getOrDefault(to, 99) <= unit.type().speed()).toList();
    }

    private Map<String, Integer> walks(int board, String start) {
        Map<String, Integer> found = new HashMap<>();
        Unit unit = unit(board, start);
        if (unit == null) return found;
        if (unit.type().flying()) {
            for (String hex : HEXES) found.put(hex, distance(start, hex));
            return found;
        }
        List<String> queue = new ArrayList<>(List.of(start));
        found.put(start, 0);
        for (int at = 0; at < queue.size(); at++) {
            for (String hex : neighbours(queue.get(at))) {
                Unit other = unit(board, hex);
                boolean enemy = other != null && !other.side().equals(unit.side());
                if (found.containsKey(hex) || enemy || ground(board, hex).equals("water")) continue;
                found.put(hex, found.get(queue.get(at)) + 1);
                queue.add(hex);
            }
        }
        return found;
    }

    // ---- what is where

    /** The state of a board: "turn1", "normal", "reset+0", "reset+1" or "reset+2" (10.1). */
    String state(int board) {
        return Json.string(Json.member(boards.get(board - 1), "state"));
    }

    /** The unit on a hex, or null. */
    Unit unit(int board, String hex) {
        return units.get(board - 1).get(hex);
    }

    /** The hexes with units of a side, rank by rank. */
    List<String> units(int board, String side) {
        return units.get(board - 1).keySet().stream().filter(hex -> unit(board, hex).side().equals(side)).toList();
    }

    /** The hexes with enemies in range of the unit on `hex` (6.2). */
    List<String> targets(int board, String hex) {
        Unit unit = unit(board, hex);
        if (unit == null) return List.of();
        List<String> enemies = units(board, unit.side().equals("yellow") ? "blue" : "yellow");
        return enemies.stream().filter(there -> distance(hex, there) <= unit.type().range()).toList();
    }

    /** The hexes on which you can spawn a unit of a type, rank by rank (9.5 to 9.8). Whether you have such a unit, and
     *  a spawn phase on this board, is another question. */
    List<String> spawns(int board, String type) {
        List<String> near = new ArrayList<>();
        for (String hex : units(board, seat)) {
            if (unit(board, hex).type().spawn() && !unit(board, hex).fresh()) near.addAll(neighbours(hex));
        }
        near.removeIf(hex -> !types.get(type).flying() && ground(board, hex).equals("water"));
        return HEXES.stream().filter(hex -> near.contains(hex) && unit(board, hex) == null).toList();
    }

    /** How many units of a type, such as "Zombie", wait in a side's zone (2.4). */
    int inZone(int board, String side, String type) {
        return Json.whole(Json.member(Json.member(Json.member(boards.get(board - 1), "zones"), side), type));
    }

    /** What a side has in its purse (2.5). */
    int money(String side) {
        return Json.whole(Json.member(money, side));
    }

    // ---- orders

    /** Moves one unit (5). */
    static String moveOrder(int board, String start, String target) {
        return board + " move " + start + "-" + target;
    }

    /** A move of one unit within a tick. */
    record Move(String start, String target) {}

    /** Moves several units at once, so that they can change places (5.10). */
    static String tickOrder(int board, List<Move> moves) {
        StringBuilder order = new StringBuilder(board + " tick");
        for (Move move : moves) order.append(" ").append(move.start()).append("-").append(move.target());
        return order.toString();
    }

    /** The unit on one hex attacks the one on another (6). */
    static String attackOrder(int board, String start, String target) {
        return board + " attack " + start + "-" + target;
    }

    /** Buys a unit, named by its letter or its name (9.3). */
    static String buyOrder(int board, String unit) {
        return board + " buy " + unit;
    }

    /** Spawns a unit of the zone (9.4). */
    static String spawnOrder(int board, String unit, String hex) {
        return board + " spawn " + unit + " " + hex;
    }

    /** Chooses a necromancer and the unit of the zone to keep (10.7, 10.10). */
    static String chooseOrder(int board, String necromancer, String keep) {
        return board + " choose " + necromancer + " keep " + keep;
    }

    /** Gives up a board (13.1). */
    static String resignOrder(int board) {
        return board + " resign";
    }

    /** Puts a spell under the first card where you have none (8.4). */
    static String marchOrder() {
        return "march";
    }

    /** Puts a second spell under a card; places count from 1 (8.5). */
    static String techOrder(int card) {
        return "tech " + card;
    }

    /** Ends the turn (4.8). */
    static String endOrder() {
        return "end";
    }
}
