import support.Contract;
import zoo.Animal;
import zoo.Bird;
import zoo.Parrot;

public class Proof {
    public static void main(String[] args) {
        Bird flown = new Bird("a", 0.5);
        flown.fly();
        Contract.judge(new Animal("a"), new Animal(null), new Animal("a"), flown, new Bird("a", 0.5), new Bird("a", Double.NaN),
                new Bird("a", Double.NaN), new Bird("a", 0.0), new Bird("a", -0.0), new Parrot("a"), new Parrot("a"), new Parrot(null));
    }
}
