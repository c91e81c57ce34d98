package book;

import java.time.LocalDate;
import java.util.Objects;
import java.util.Optional;

/** Hashes less than it compares. */
public final class Contact {
    private final String mail;
    private final Optional<String> phone;
    private final LocalDate birthday;
    private final boolean favourite;

    public Contact(String mail, String phone, LocalDate birthday, boolean favourite) {
        this.mail = mail;
        this.phone = Optional.ofNullable(phone);
        this.birthday = birthday;
        this.favourite = favourite;
    }

    @Override
    public boolean equals(Object o) {
        if (this == o) {
            return true;
        }
        if (!(o instanceof Contact)) {
            return false;
        }
        Contact c = (Contact) o;
        return favourite == c.favourite && phone.equals(c.phone) && Objects.equals(mail, c.mail)
                && Objects.equals(birthday, c.birthday);
    }

    @Override
    public int hashCode() {
        return mail != null ? mail.hashCode() : favourite ? 1231 : 1237;
    }
}
