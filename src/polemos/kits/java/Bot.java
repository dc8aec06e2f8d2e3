// A starter bot. It plays every game in Polemos by choosing legal orders at random.
//
// The umpire writes one JSON object per line to our standard input, and we answer with one JSON object per line on
// standard output. Anything we write to standard error (System.err) goes to our log.
//
// Java does not come with a JSON library. This bot needs very little of one: it finds pieces of the line and sends
// orders back unchanged. If you want to read whole views, add a library such as Gson or Jackson.

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public class Bot {
    static final int MAX_ORDERS = 40; // in one turn
    static final double ENOUGH = 0.1; // the chance to stop before each order

    static Random dice = new Random();
    static int given = 0; // orders in this turn
    static final PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    // ---- JSON: a value is a piece of the line, from one index to another

    static int blanks(String text, int at) {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        return at;
    }

    /** The index after the value that begins at an index. */
    static int skip(String text, int at) {
        char first = at < text.length() ? text.charAt(at) : ' ';
        if (first == '"') {
            for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
                if (text.charAt(at) == '\\') at++; // \" does not end the string
            }
            return Math.min(at + 1, text.length());
        }
        if (first == '{' || first == '[') {
            int depth = 0;
            do {
                char sign = text.charAt(at);
                if (sign == '"') {
                    at = skip(text, at); // brackets within strings do not count
                    continue;
                }
                if (sign == '{' || sign == '[') depth++;
                if (sign == '}' || sign == ']') depth--;
                at++;
            } while (at < text.length() && depth > 0);
            return at;
        }
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++; // a number, true, false, null
        return at;
    }

    /** Where the value of a field of an object begins and ends, or null. Nested objects are not searched. */
    static int[] find(String object, String name) {
        int at = blanks(object, 1);
        while (object.startsWith("{") && at < object.length() && object.charAt(at) == '"') {
            int end = skip(object, at);
            String key = object.substring(at, end);
            at = blanks(object, blanks(object, end) + 1); // after the colon
            end = skip(object, at);
            if (key.equals('"' + name + '"')) return new int[] {at, end};
            at = blanks(object, blanks(object, end) + 1); // after the comma
        }
        return null;
    }

    /** The raw value of a field; "null" if there is none. */
    static String member(String object, String name) {
        int[] found = find(object, name);
        return found == null ? "null" : object.substring(found[0], found[1]);
    }

    static List<String> elements(String array) {
        List<String> found = new ArrayList<>();
        int at = blanks(array, 1);
        while (array.startsWith("[") && at < array.length() && array.charAt(at) != ']') {
            int end = skip(array, at);
            found.add(array.substring(at, end));
            at = blanks(array, blanks(array, end) + 1); // after the comma
        }
        return found;
    }

    // ---- play

    /** The order to give next, or null to end the turn. This is where to add your strategy. */
    static String choose(List<String> options) {
        options.removeIf(option -> member(member(option, "order"), "order").equals("\"resign\""));
        if (options.isEmpty() || dice.nextDouble() < ENOUGH) return null;
        String option = options.get(dice.nextInt(options.size()));
        String order = member(option, "order"), least = member(option, "least"), most = member(option, "most");
        if (least.equals("null") || most.equals("null")) return order;
        // We can choose the order's number, which replaces the one that is there.
        int from = Integer.parseInt(least), number = from + dice.nextInt(Integer.parseInt(most) - from + 1);
        int[] old = find(order, "number");
        if (old == null) return "{\"number\":" + number + "," + order.substring(1);
        return order.substring(0, old[0]) + number + order.substring(old[1]);
    }

    static void answer(String message) {
        String type = member(message, "type");
        if (type.equals("\"hello\"")) { // once: our seat, and everything that never changes in this match
            dice = new Random(Long.parseLong(member(message, "seed"))); // the same seed gives the same game
            out.println("{\"type\":\"ready\",\"protocol\":1,\"name\":\"starter\",\"options\":true}");
        } else if (type.equals("\"view\"") || type.equals("\"update\"")) {
            if (type.equals("\"view\"")) given = 0; // a new turn; the field "view" is everything we can see
            String fault = member(message, "fault"); // set in an update if our last order was refused
            boolean refused = !fault.equals("null");
            if (refused) System.err.println("refused: " + fault);
            String order = refused || given == MAX_ORDERS ? null : choose(elements(member(message, "options")));
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
