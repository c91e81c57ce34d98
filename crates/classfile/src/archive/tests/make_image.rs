//! A jimage writer. Its hash table is empty, because the reader does without.

use libdeflater::{CompressionLvl, Compressor};

pub(super) struct Image {
    pub(super) big_endian: bool,
    locations: Vec<Vec<u8>>,
    strings: Vec<u8>,
    contents: Vec<u8>,
}

impl Image {
    pub(super) fn new(big_endian: bool) -> Image {
        // An offset of 0 is the empty string.
        Image { big_endian, locations: Vec::new(), strings: vec![0], contents: Vec::new() }
    }

    pub(super) fn string(&mut self, text: impl AsRef<[u8]>) -> u64 {
        if text.as_ref().is_empty() {
            return 0;
        }
        self.strings.extend(text.as_ref());
        self.strings.push(0);
        (self.strings.len() - text.as_ref().len() - 1) as u64
    }

    /// A resource that is stored as it is.
    pub(super) fn add(&mut self, module: &str, parent: &str, base: &str, content: &[u8]) {
        self.add_stored(module, parent, base, content, 0, content.len());
    }

    /// A resource whose stored form is `stored`; `compressed` is 0 or the length of that.
    pub(super) fn add_stored(
        &mut self,
        module: &str,
        parent: &str,
        base: &str,
        stored: &[u8],
        compressed: usize,
        size: usize,
    ) {
        let offset = self.contents.len() as u64;
        self.contents.extend(stored);
        let names = [module, parent, base, "class"].map(|name| self.string(name));
        self.add_location(&[
            (1, names[0]),
            (2, names[1]),
            (3, names[2]),
            (4, names[3]),
            (5, offset),
            (6, compressed as u64),
            (7, size as u64),
        ]);
    }

    pub(super) fn add_location(&mut self, attributes: &[(u8, u64)]) {
        let mut stream = Vec::new();
        for &(kind, value) in attributes.iter().filter(|(_, value)| *value != 0) {
            let skip = value.leading_zeros() as usize / 8;
            stream.push(kind << 3 | (7 - skip) as u8);
            stream.extend(&value.to_be_bytes()[skip..]);
        }
        stream.push(0);
        self.locations.push(stream);
    }

    /// `content` behind a header that names the decompressor.
    pub(super) fn compress(&mut self, decompressor: &str, content: &[u8], size: usize) -> Vec<u8> {
        let name = self.string(decompressor) as u32;
        let mut out = self.u4(0xCAFE_FAFA).to_vec();
        out.extend(self.u8(content.len() as u64));
        out.extend(self.u8(size as u64));
        out.extend(self.u4(name));
        out.extend(self.u4(0));
        out.push(1);
        out.extend(content);
        out
    }

    pub(super) fn finish(&self) -> Vec<u8> {
        let length = self.locations.len() as u32;
        let locations_size = self.locations.iter().map(Vec::len).sum::<usize>() as u32;
        let strings_size = self.strings.len() as u32;
        let header = [0xCAFE_DADA, 1 << 16, 0, length, length, locations_size, strings_size];
        let mut out: Vec<u8> = header.iter().flat_map(|&value| self.u4(value)).collect();
        out.resize(out.len() + 4 * self.locations.len(), 0);
        let mut offset = 0;
        for location in &self.locations {
            out.extend(self.u4(offset));
            offset += location.len() as u32;
        }
        out.extend(self.locations.concat());
        out.extend(&self.strings);
        out.extend(&self.contents);
        out
    }

    fn u4(&self, value: u32) -> [u8; 4] {
        if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn u8(&self, value: u64) -> [u8; 8] {
        if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }
}

pub(super) fn zlib(content: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(CompressionLvl::default());
    let mut stream = vec![0; compressor.zlib_compress_bound(content.len())];
    let length = compressor.zlib_compress(content, &mut stream).expect("enough room");
    stream.truncate(length);
    stream
}
