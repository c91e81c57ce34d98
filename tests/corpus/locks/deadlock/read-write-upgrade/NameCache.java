package dns;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A thread that holds the read lock and asks for the write lock waits for itself. */
public class NameCache {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Lock reading = lock.readLock();
    private final Lock writing = lock.writeLock();
    private final Map<String, String> names = new HashMap<>();

    public String resolve(String host) {
        reading.lock();
        try {
            String address = names.get(host);
            if (address == null) {
                address = "0.0.0.0";
                remember(host, address);
            }
            return address;
        } finally {
            reading.unlock();
        }
    }

    public void remember(String host, String address) {
        writing.lock();
        try {
            names.put(host, address);
        } finally {
            writing.unlock();
        }
    }

    public int size() {
        reading.lock();
        try {
            return names.size();
        } finally {
            reading.unlock();
        }
    }
}
