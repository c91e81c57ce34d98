package p;

/* The interfaces of Plain.java with the same names, as their authors changed them. */
interface Later1 { default String late() { return "p.Later1.late"; } }
interface Later2 { default String late() { return "p.Later2.late"; } }
interface Later3 { String late(); }
interface Later4 extends Later1 { String late(); }
