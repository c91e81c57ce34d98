package app;

import java.util.concurrent.atomic.AtomicInteger;

public final class Services {
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static final Services MAIN = instance();

    private final int number;

    private Services(int number) {
        this.number = number;
    }

    /** Lazy by the usual idiom; but the initialiser above asks for it, too. */
    public static Services instance() {
        return Holder.INSTANCE;
    }

    public boolean isMain() {
        return this == MAIN;
    }

    public int number() {
        return number;
    }

    public static final class Holder {
        static final Services INSTANCE = new Services(STARTED.incrementAndGet());

        private Holder() {}

        public static int firstNumber() {
            return INSTANCE.number;
        }
    }
}
