package book;

public record Volume(String title) {}
