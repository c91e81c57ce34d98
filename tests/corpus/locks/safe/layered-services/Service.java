package layer;

import java.util.function.IntUnaryOperator;

final class Service {
    interface Sink {
        int put(int value);
    }

    static final class Store implements Sink {
        private int last;

        @Override
        public synchronized int put(int value) {
            int before = last;
            last = value;
            return before;
        }
    }

    private final Sink sink;
    private int served;

    Service(Sink sink) {
        this.sink = sink;
    }

    synchronized int serve(int request, IntUnaryOperator work) {
        served++;
        return sink.put(work.applyAsInt(request)) + served;
    }
}
