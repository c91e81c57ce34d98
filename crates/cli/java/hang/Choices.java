package jury.hang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * Decisions in the order in which they are met. The first alternative is what usually works; others
 * cost something, and what is cheap in all is tried first.
 */
final class Choices {
    private final int[] given;
    private final List<int[]> met = new ArrayList<>();

    private Choices(int[] given) {
        this.given = given;
    }

    static Choices of(String text) {
        int[] given = text.isEmpty()
                ? new int[0]
                : Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray();
        return new Choices(given);
    }

    Choices again() {
        return new Choices(given);
    }

    /** A number below {@code n}; every one but 0 costs at least {@code price}. */
    int pick(int n, int price) {
        int at = met.size();
        met.add(new int[] {n, price});
        return at < given.length && given[at] < n ? given[at] : 0;
    }

    @Override
    public String toString() {
        return Arrays.stream(given).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    /** All ways to decide, the cheapest first. */
    static final class Search {
        private record Entry(int cost, int number, int[] given) {}

        private final PriorityQueue<Entry> open =
                new PriorityQueue<>(Comparator.comparingInt(Entry::cost).thenComparingInt(Entry::number));
        private int number;
        private int cost;

        Search() {
            open.add(new Entry(0, number++, new int[0]));
        }

        /** Null when there are no more. */
        Choices next() {
            Entry entry = open.poll();
            if (entry == null) {
                return null;
            }
            cost = entry.cost;
            return new Choices(entry.given);
        }

        /** What else could have been decided after the last decision that was given. */
        void expand(Choices tried) {
            for (int at = tried.given.length; at < tried.met.size(); at++) {
                int[] seen = tried.met.get(at);
                for (int other = 1; other < seen[0]; other++) {
                    int[] given = Arrays.copyOf(tried.given, at + 1);
                    given[at] = other;
                    open.add(new Entry(cost + seen[1] + other - 1, number++, given));
                }
            }
        }
    }
}
