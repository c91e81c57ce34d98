package crm;

import java.util.Objects;

/** The same customer if the number or the mail address is the same. */
public class Account {
    private final int number;
    private final String mail;

    public Account(int number, String mail) {
        this.number = number;
        this.mail = mail;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Account)) {
            return false;
        }
        Account a = (Account) o;
        return number == a.number || Objects.equals(mail, a.mail);
    }

    @Override
    public int hashCode() {
        return 0;
    }
}
