package attr;

public interface Payload {
    byte[] bytes();
}
