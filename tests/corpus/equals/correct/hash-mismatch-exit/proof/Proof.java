import docs.Document;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Document("t", "x"), new Document("t", "x"), new Document(null, ""), new Document("", ""),
                new Document("Aa", ""), new Document("BB", ""), new Document(null, "x"), new Document(null, "x"));
    }
}
