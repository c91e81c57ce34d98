package layer;

/** Gateway, service, store: monitors are taken downwards only, through interfaces and a lambda. */
public final class Gateway {
    private final Service service;
    private int requests;

    public Gateway() {
        this.service = new Service(new Service.Store());
    }

    public synchronized int handle(int request) {
        requests++;
        return service.serve(request, r -> r * 2 + requests);
    }

    public synchronized int requests() {
        return requests;
    }
}
