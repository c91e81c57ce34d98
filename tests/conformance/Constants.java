import java.io.DataInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** The literals in a class file: its own interesting inputs. */
record Constants(List<String> strings, List<Integer> ints, List<Long> longs,
        List<Float> floats, List<Double> doubles) {
    private static final int LONGEST = 200;

    static Constants of(Class<?> type) throws Exception {
        Constants found = new Constants(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
                new ArrayList<>(), new ArrayList<>());
        String name = type.getName();
        String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream stream = type.getResourceAsStream(file)) {
            found.read(new DataInputStream(stream));
        }
        return found;
    }

    private void read(DataInputStream in) throws Exception {
        in.readInt();
        in.readInt();
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        List<Integer> literals = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = in.readUTF();
                case 3 -> ints.add(in.readInt());
                case 4 -> floats.add(in.readFloat());
                case 5 -> {
                    longs.add(in.readLong());
                    i++;
                }
                case 6 -> {
                    doubles.add(in.readDouble());
                    i++;
                }
                case 8 -> literals.add(in.readUnsignedShort());
                case 7, 16, 19, 20 -> in.readUnsignedShort();
                case 15 -> in.skipBytes(3);
                default -> in.readInt();
            }
        }
        for (int literal : literals) {
            if (texts[literal].length() <= LONGEST) {
                strings.add(texts[literal]);
            }
        }
    }
}
