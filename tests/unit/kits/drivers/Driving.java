// For the drivers in Java: reads questions, writes answers as JSON. See helping.py.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

abstract class Driving {
    private List<String> asked = List.of();

    abstract void begin(String setting, String seat, String view);

    abstract Object answer(String name);

    String text(int i) {
        return i < asked.size() ? Json.string(asked.get(i)) : "";
    }

    int number(int i) {
        return i < asked.size() && !asked.get(i).matches("[\"\\[].*") ? Json.whole(asked.get(i)) : 0;
    }

    List<String> list(int i) {
        return Json.elements(asked.get(i));
    }

    static Integer orNull(int number) {
        return number < 0 ? null : number;
    }

    static String said(Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) return String.valueOf(value);
        if (value instanceof Collection<?> items) {
            return items.stream().map(Driving::said).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream().map(entry -> said(entry.getKey()) + ":" + said(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        }
        return '"' + value.toString() + '"';
    }

    void answerAll() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("{")) {
                begin(Json.member(line, "setting"), Json.member(line, "seat"), Json.member(line, "view"));
            } else {
                asked = Json.elements(line);
                out.append(said(answer(text(0)))).append("\n");
            }
        }
        System.out.print(out);
    }
}
