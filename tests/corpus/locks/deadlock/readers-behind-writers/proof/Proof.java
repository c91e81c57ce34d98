import feed.Posts;
import feed.Users;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Users users = new Users();
        Posts posts = new Posts();
        users.join("a");
        posts.post("a");
        Race.loop(() -> users.silent(posts), () -> posts.orphans(users), () -> users.join("b"), () -> posts.post("b"));
    }
}
