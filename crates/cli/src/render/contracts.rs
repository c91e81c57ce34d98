//! What each method may lock, as text to commit and to diff.

use checks::locks::Contract;

use super::sanitize;

/// One block for each method; the same classes give the same bytes.
pub fn render_contracts(contracts: &[Contract]) -> String {
    let mut text =
        String::from("# what each method may lock, and what it may want while it holds what\n");
    for contract in contracts {
        text += &format!("\n{}\n", sanitize::line(&contract.method));
        for lock in &contract.takes {
            text += &format!("    takes {}\n", sanitize::line(lock));
        }
        for (held, wanted) in &contract.orders {
            text +=
                &format!("    holds {} wants {}\n", sanitize::line(held), sanitize::line(wanted));
        }
    }
    text
}
