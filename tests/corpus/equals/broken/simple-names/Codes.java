package codes;

/** Two nested classes of the same simple name meet in one equals. */
public final class Codes {
    private Codes() {}

    public static final class Http {
        public static final class Status {
            private final int code;

            public Status(int code) {
                this.code = code;
            }

            @Override
            public boolean equals(Object o) {
                if (o == null || !o.getClass().getSimpleName().equals("Status")) {
                    return false;
                }
                return code == ((Status) o).code;
            }

            @Override
            public int hashCode() {
                return code;
            }
        }
    }

    public static final class Mail {
        public static final class Status {
            private final int code;

            public Status(int code) {
                this.code = code;
            }

            public int code() {
                return code;
            }
        }
    }
}
