// Answers questions with the helper for Monarchs in Java.

import java.io.IOException;

class Driver extends Driving {
    private Monarchs board;

    @Override
    void begin(String setting, String seat, String view) {
        board = new Monarchs(setting, seat);
        board.update(view);
    }

    @Override
    Object answer(String name) {
        return switch (name) {
            case "hexes" -> board.hexes();
            case "neighbours" -> board.neighbours(text(1));
            case "base" -> board.base(text(1));
            case "centre" -> board.centre;
            case "distance" -> board.distance(text(1), text(2));
            case "towards" -> board.towards(text(1), text(2));
            case "seen" -> board.seen(text(1));
            case "owner" -> board.owner(text(1));
            case "regiments" -> board.regiments(text(1));
            case "land" -> board.land(text(1));
            case "armies" -> board.armies(text(1));
            case "march_order" -> Monarchs.marchOrder(text(1), text(2), number(3));
            case "bless_order" -> Monarchs.blessOrder(text(1));
            default -> throw new IllegalArgumentException(name);
        };
    }

    public static void main(String[] arguments) throws IOException {
        new Driver().answerAll();
    }
}
