package p;

class H extends q.D {}
