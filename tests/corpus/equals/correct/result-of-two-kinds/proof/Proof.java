import flow.Result;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Result<String> ok = new Result.Ok<>("a");
        Result.Counted<String> asked = new Result.Counted<>(ok);
        asked.ok();
        Contract.judge(ok, new Result.Ok<>("a"), new Result.Ok<>(null), new Result.Failed<>(" a", 1), new Result.Failed<>("a ", 1), asked,
                new Result.Counted<>(new Result.Counted<>(ok)), new Result.Counted<>(null), new Result.Failed<>(null, 0));
    }
}
