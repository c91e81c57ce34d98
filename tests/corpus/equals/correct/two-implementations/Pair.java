package pairs;

/** What equality means for every pair, whoever implements it: same halves, hash 31 * first + second. */
public sealed interface Pair permits FieldPair, ArrayPair {
    int first();

    int second();
}
