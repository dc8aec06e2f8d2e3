// A starter bot. It plays every game in Polemos by choosing legal orders at random.
//
// The umpire writes one JSON object per line to our standard input, and we answer with one JSON object per line on
// standard output. Anything we write to standard error (System.err) goes to our log.
//
// Java does not come with a JSON library. This bot needs very little of one: Json.java finds pieces of the line, and
// orders are sent back unchanged.

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

public class Bot {
    static final int MAX_ORDERS = 40; // in one turn
    static final double ENOUGH = 0.1; // the chance to stop before each order

    static Random dice = new Random();
    static int given = 0; // orders in this turn
    static final PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    // ---- play

    /** The order to give next, or null to end the turn. This is where to add your strategy. */
    static String choose(List<String> options) {
        options.removeIf(option -> Json.member(Json.member(option, "order"), "order").equals("\"resign\""));
        if (options.isEmpty() || dice.nextDouble() < ENOUGH) return null;
        String option = options.get(dice.nextInt(options.size()));
        String order = Json.member(option, "order");
        String least = Json.member(option, "least"), most = Json.member(option, "most");
        if (least.equals("null") || most.equals("null")) return order;
        // We can choose the order's number, which replaces the one that is there.
        int from = Integer.parseInt(least), number = from + dice.nextInt(Integer.parseInt(most) - from + 1);
        int[] old = Json.find(order, "number");
        if (old == null) return "{\"number\":" + number + "," + order.substring(1);
        return order.substring(0, old[0]) + number + order.substring(old[1]);
    }

    static void answer(String message) {
        String type = Json.member(message, "type");
        if (type.equals("\"hello\"")) { // once: our seat, and everything that never changes in this match
            dice = new Random(Long.parseLong(Json.member(message, "seed"))); // the same seed gives the same game
            out.println("{\"type\":\"ready\",\"protocol\":1,\"name\":\"__NAME__\",\"options\":true}");
        } else if (type.equals("\"view\"") || type.equals("\"update\"")) {
            if (type.equals("\"view\"")) given = 0; // a new turn; the field "view" is everything we can see
            String fault = Json.member(message, "fault"); // set in an update if our last order was refused
            boolean refused = !fault.equals("null");
            if (refused) System.err.println("refused: " + fault);
            List<String> options = Json.elements(Json.member(message, "options"));
            String order = refused || given == MAX_ORDERS ? null : choose(options);
            if (order == null) {
                out.println("{\"type\":\"end\"}");
            } else {
                given++;
                out.println("{\"type\":\"order\",\"order\":" + order + "}");
            }
        } else if (type.equals("\"result\"")) {
            System.exit(0);
        }
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) answer(line.strip());
    }
}
