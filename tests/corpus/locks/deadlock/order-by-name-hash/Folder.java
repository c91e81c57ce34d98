package files;

import java.util.TreeMap;

/** Orders by the hash of the name; different names can share it. */
public class Folder {
    private final String name;
    private final int key;
    private final TreeMap<String, byte[]> files = new TreeMap<>();

    public Folder(String name) {
        this.name = name;
        this.key = name.hashCode();
    }

    public void write(String file, byte[] content) {
        synchronized (this) {
            files.put(file, content.clone());
        }
    }

    public boolean move(String file, Folder target) {
        if (target == this) {
            return files.containsKey(file);
        }
        Folder first = key < target.key ? this : target;
        Folder second = first == this ? target : this;
        synchronized (first) {
            synchronized (second) {
                byte[] content = files.remove(file);
                if (content == null) {
                    return false;
                }
                target.files.put(file, content);
                return true;
            }
        }
    }

    public String name() {
        return name;
    }
}
