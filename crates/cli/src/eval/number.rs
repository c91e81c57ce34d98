//! Floating-point numbers as Java writes them.

/// `Double.toString`: the shortest digits that tell the value from its neighbours, at least one after
/// the point, with an exponent outside of 10^-3 to 10^7 (the form of JDK 19 and later).
pub(super) fn double_text(value: f64) -> String {
    if value.is_nan() || value.is_infinite() || value == 0.0 {
        return special(value);
    }
    let shortest = format!("{:e}", value.abs());
    let two_digits = format!("{:.1e}", value.abs());
    layout(value.is_sign_negative(), &shortest, &two_digits)
}

/// `Float.toString`.
pub(super) fn float_text(value: f32) -> String {
    if value.is_nan() || value.is_infinite() || value == 0.0 {
        return special(value.into());
    }
    let shortest = format!("{:e}", value.abs());
    let two_digits = format!("{:.1e}", value.abs());
    layout(value.is_sign_negative(), &shortest, &two_digits)
}

fn special(value: f64) -> String {
    let text = if value.is_nan() {
        "NaN"
    } else if value == f64::INFINITY {
        "Infinity"
    } else if value == f64::NEG_INFINITY {
        "-Infinity"
    } else if value.is_sign_negative() {
        "-0.0"
    } else {
        "0.0"
    };
    text.to_owned()
}

/// Both texts are `d.ddde-n`. Where one digit would do, Java takes the nearest two.
fn layout(is_negative: bool, shortest: &str, two_digits: &str) -> String {
    let has_one_digit = !shortest.contains('.');
    let scientific = if has_one_digit { two_digits } else { shortest };
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = mantissa.replace('.', "");
    let digits = digits.trim_end_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let sign = if is_negative { "-" } else { "" };
    let text = if (-3..7).contains(&exponent) {
        if exponent < 0 {
            format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize))
        } else {
            let whole = exponent as usize + 1;
            if digits.len() <= whole {
                format!("{digits}{}.0", "0".repeat(whole - digits.len()))
            } else {
                format!("{}.{}", &digits[..whole], &digits[whole..])
            }
        }
    } else {
        let (first, rest) = digits.split_at(1);
        format!("{first}.{}E{exponent}", if rest.is_empty() { "0" } else { rest })
    };
    format!("{sign}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_as_java_prints_them() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-1.5, "-1.5"),
            (100.0, "100.0"),
            (1e7, "1.0E7"),
            (9_999_999.0, "9999999.0"),
            (0.001, "0.001"),
            (0.000_999, "9.99E-4"),
            (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
            (f64::from_bits(1), "4.9E-324"),
            (2e23, "2.0E23"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, text) in cases {
            assert_eq!(double_text(value), text);
        }
        assert_eq!(float_text(1.1), "1.1");
        assert_eq!(float_text(f32::from_bits(1)), "1.4E-45");
        assert_eq!(float_text(1.0e10), "1.0E10");
    }
}
