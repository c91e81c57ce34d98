//! A number by which services recognise a finding from run to run.
//!
//! Made of names only, so that it survives edits elsewhere in the file and a change of the witness.

use checks::Finding;

pub(super) fn of(finding: &Finding) -> String {
    let subject = &finding.subject;
    let locks = finding.cycle.iter().flat_map(|cycle| &cycle.locks).map(|lock| lock.name.as_str());
    let parts =
        [finding.rule.name, text(&subject.class), text(&subject.method)].into_iter().chain(locks);
    format!("{:016x}", hash(parts))
}

fn text(part: &Option<String>) -> &str {
    part.as_deref().unwrap_or_default()
}

/// FNV-1a with 64 bits: small, and the same for ever, which the standard library's hash is not.
fn hash<'a>(parts: impl Iterator<Item = &'a str>) -> u64 {
    // No text contains the byte 0xff, so the parts cannot run into each other.
    let bytes = parts.flat_map(|part| part.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stay_apart_and_the_number_stays_the_same() {
        assert_ne!(hash(["ab", "c"].into_iter()), hash(["a", "bc"].into_iter()));
        assert_eq!(hash(["a"].into_iter()), 0x089b_c907_b544_c769);
    }
}
