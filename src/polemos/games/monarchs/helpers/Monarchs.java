// Helpers for Monarchs: the map, distances, who is where, and orders. Needs Json.java of the starter kit.
//
//   Monarchs board = new Monarchs(Json.member(message, "setting"), Json.member(message, "seat")); // once, from hello
//   board.update(Json.member(message, "view")); // each turn
//   for (String hex : board.armies(board.seat)) {
//       List<String> near = board.towards(hex, board.centre);
//       if (near.isEmpty()) continue;
//       String order = Monarchs.marchOrder(hex, near.get(0), board.regiments(hex));
//       out.println("{\"type\":\"order\",\"order\":\"" + order + "\"}");
//   }
//
// A hex is its name, such as "G5". Numbers in brackets are paragraphs of the rule book.

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The board as far as it is in sight. */
class Monarchs {
    /** Row by row from the top (1.1). */
    private static final List<String> HEXES = List.of(
        ("E9 G9 I9 K9 M9 D8 F8 H8 J8 L8 N8 C7 E7 G7 I7 K7 M7 O7 B6 D6 F6 H6 J6 L6 N6 P6 A5 C5 E5 G5 I5 K5 M5 O5 Q5 "
            + "B4 D4 F4 H4 J4 L4 N4 P4 C3 E3 G3 I3 K3 M3 O3 D2 F2 H2 J2 L2 N2 E1 G1 I1 K1 M1").split(" "));
    private static final int[][] STEPS = {{-2, 0}, {-1, 1}, {1, 1}, {2, 0}, {1, -1}, {-1, -1}};

    private record Ground(String owner, int regiments) {}

    final String seat, centre;
    private final String bases;
    private final Map<String, Ground> seen = new HashMap<>();

    Monarchs(String setting, String seat) {
        this.seat = Json.string(seat);
        centre = Json.string(Json.member(setting, "centre"));
        bases = Json.member(setting, "bases");
    }

    /** Reads the view of this turn. */
    void update(String view) {
        seen.clear();
        String hexes = Json.member(view, "hexes");
        for (String hex : HEXES) {
            String ground = Json.member(hexes, hex), owner = Json.member(ground, "owner");
            if (ground.equals("null")) continue;
            int regiments = Json.whole(Json.member(ground, "regiments"));
            seen.put(hex, new Ground(owner.equals("null") ? null : Json.string(owner), regiments));
        }
    }

    // ---- the map

    /** All 61 hexes, row by row from the top (1.1). */
    List<String> hexes() {
        return HEXES;
    }

    /** The hexes next to this one, clockwise from the left (1.2). */
    List<String> neighbours(String hex) {
        List<String> found = new ArrayList<>();
        for (int[] step : STEPS) {
            String there = "" + (char) (hex.charAt(0) + step[0]) + (char) (hex.charAt(1) + step[1]);
            if (HEXES.contains(there)) found.add(there);
        }
        return found;
    }

    /** The home base of a nation (1.3). */
    String base(String nation) {
        return Json.string(Json.member(bases, nation));
    }

    /** The number of steps between two hexes (1.2). Nothing is in the way of an army. */
    int distance(String a, String b) {
        int columns = Math.abs(a.charAt(0) - b.charAt(0)), rows = Math.abs(a.charAt(1) - b.charAt(1));
        return rows + Math.max(0, columns - rows) / 2;
    }

    /** The neighbours that are one step nearer to the target; empty if you are there. */
    List<String> towards(String start, String target) {
        int here = distance(start, target);
        return neighbours(start).stream().filter(hex -> distance(hex, target) < here).toList();
    }

    // ---- what is where

    /** Whether a hex is in sight (9.1). */
    boolean seen(String hex) {
        return seen.containsKey(hex);
    }

    /** The owner of a hex; null if it is unclaimed or out of sight. */
    String owner(String hex) {
        return seen(hex) ? seen.get(hex).owner() : null;
    }

    /** The regiments on a hex, all of its owner; 0 if it is out of sight. */
    int regiments(String hex) {
        return seen(hex) ? seen.get(hex).regiments() : 0;
    }

    /** The hexes in sight that a nation owns. */
    List<String> land(String nation) {
        return HEXES.stream().filter(hex -> nation.equals(owner(hex))).toList();
    }

    /** The hexes in sight with regiments of a nation. */
    List<String> armies(String nation) {
        return land(nation).stream().filter(hex -> regiments(hex) > 0).toList();
    }

    // ---- orders

    /** Regiments go to a neighbouring hex (3.2). */
    static String marchOrder(String start, String target, int number) {
        return start + "-" + target + " " + number;
    }

    /** Your army fights better on this hex, this turn (3.7). */
    static String blessOrder(String hex) {
        return "bless " + hex;
    }
}
