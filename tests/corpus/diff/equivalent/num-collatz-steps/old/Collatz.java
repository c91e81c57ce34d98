public class Collatz {
    public static int steps(int n) {
        int steps = 0;
        while (n != 1 && steps < 20) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
        return steps;
    }
}
