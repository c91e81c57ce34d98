public sealed interface Taxed {
    int net();

    default int tax() {
        return net() * 19 / 100;
    }

    record Book(int net) implements Taxed {
        @Override
        public int tax() {
            return net * 7 / 100;
        }
    }

    record Tool(int net, String name) implements Taxed {}
}
