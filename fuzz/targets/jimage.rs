//! Any bytes as a JDK image: listed, and every entry read. What lacks the magic number is left to
//! the target `zip`.

#![no_main]

use libfuzzer_sys::Corpus;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> Corpus {
    const MAGIC: u32 = 0xCAFE_DADA;
    let magic = bytes.first_chunk().map(|&magic| u32::from_le_bytes(magic));
    if magic.is_none_or(|magic| magic != MAGIC && magic.swap_bytes() != MAGIC) {
        return Corpus::Reject;
    }
    fuzz::archive::read_everything(bytes);
    Corpus::Keep
});
