// Just enough JSON for a bot: a value is a piece of the line, from one index to another.

import java.util.ArrayList;
import java.util.List;

final class Json {
    private Json() {}

    /** The index of the first character that is not blank. */
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

    /** The elements of an array. */
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

    /** A string without its quotes. Escapes stay as they are. */
    static String string(String value) {
        return value.startsWith("\"") ? value.substring(1, value.length() - 1) : "";
    }

    /** A whole number; 0 if there is none. */
    static int whole(String value) {
        return value.equals("null") ? 0 : Integer.parseInt(value);
    }
}
