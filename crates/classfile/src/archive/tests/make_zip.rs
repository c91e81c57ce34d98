//! A zip writer that also writes lies.

use libdeflater::{CompressionLvl, Compressor, crc32};

#[derive(Clone)]
pub(super) struct Item {
    pub(super) path: Vec<u8>,
    pub(super) content: Vec<u8>,
    pub(super) method: u16,
    pub(super) flags: u16,
    /// Sizes and offset go to the zip64 extra field.
    pub(super) zip64: bool,
    /// Bytes of the local extra field, unknown to the central directory.
    pub(super) local_extra: usize,
    pub(super) crc: Option<u32>,
    pub(super) size: Option<u64>,
    pub(super) compressed_size: Option<u64>,
    pub(super) offset: Option<u64>,
}

pub(super) const DATA_DESCRIPTOR: u16 = 1 << 3;

impl Item {
    pub(super) fn new(path: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Item {
        Item {
            path: path.as_ref().to_vec(),
            content: content.as_ref().to_vec(),
            method: 0,
            flags: 0,
            zip64: false,
            local_extra: 0,
            crc: None,
            size: None,
            compressed_size: None,
            offset: None,
        }
    }

    pub(super) fn deflated(path: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Item {
        Item { method: 8, ..Item::new(path, content) }
    }
}

pub(super) fn zip(items: &[Item]) -> Vec<u8> {
    let mut writer = Writer::default();
    items.iter().for_each(|item| writer.add(item));
    writer.finish(b"", false)
}

pub(super) fn zip64(items: &[Item]) -> Vec<u8> {
    let mut writer = Writer::default();
    items.iter().for_each(|item| writer.add(item));
    writer.finish(b"", true)
}

#[derive(Default)]
pub(super) struct Writer {
    out: Vec<u8>,
    directory: Vec<u8>,
    count: u64,
}

impl Writer {
    pub(super) fn add(&mut self, item: &Item) {
        let stream = if item.method == 8 { deflate(&item.content) } else { item.content.clone() };
        let crc = item.crc.unwrap_or_else(|| crc32(&item.content));
        let compressed = item.compressed_size.unwrap_or(stream.len() as u64);
        let size = item.size.unwrap_or(item.content.len() as u64);
        let offset = item.offset.unwrap_or(self.out.len() as u64);
        let descriptor = item.flags & DATA_DESCRIPTOR != 0;
        let short = |value: u64| if item.zip64 { u32::MAX } else { value as u32 };

        self.out.extend(b"PK\x03\x04");
        put2(&mut self.out, &[20, item.flags, item.method, 0, 0]);
        let header = if descriptor { [0, 0, 0] } else { [crc, short(compressed), short(size)] };
        put4(&mut self.out, &header);
        put2(&mut self.out, &[item.path.len() as u16, item.local_extra as u16]);
        self.out.extend(&item.path);
        self.out.resize(self.out.len() + item.local_extra, 0);
        self.out.extend(stream);
        if descriptor {
            self.out.extend(b"PK\x07\x08");
            put4(&mut self.out, &[crc, compressed as u32, size as u32]);
        }

        let extra = if item.zip64 { 28 } else { 0 };
        let directory = &mut self.directory;
        directory.extend(b"PK\x01\x02");
        put2(directory, &[20, 20, item.flags, item.method, 0, 0]);
        put4(directory, &[crc, short(compressed), short(size)]);
        put2(directory, &[item.path.len() as u16, extra, 0, 0, 0]);
        put4(directory, &[0, short(offset)]);
        directory.extend(&item.path);
        if item.zip64 {
            put2(directory, &[1, 24]);
            put8(directory, &[size, compressed, offset]);
        }
        self.count += 1;
    }

    pub(super) fn finish(mut self, comment: &[u8], zip64: bool) -> Vec<u8> {
        let (start, size) = (self.out.len() as u64, self.directory.len() as u64);
        self.out.extend(&self.directory);
        let (mut count, mut short) = (self.count as u16, [size as u32, start as u32]);
        if zip64 {
            let record = self.out.len() as u64;
            self.out.extend(b"PK\x06\x06");
            put8(&mut self.out, &[44]);
            put2(&mut self.out, &[45, 45]);
            put4(&mut self.out, &[0, 0]);
            put8(&mut self.out, &[self.count, self.count, size, start]);
            self.out.extend(b"PK\x06\x07");
            put4(&mut self.out, &[0]);
            put8(&mut self.out, &[record]);
            put4(&mut self.out, &[1]);
            (count, short) = (u16::MAX, [u32::MAX; 2]);
        }
        self.out.extend(b"PK\x05\x06");
        put2(&mut self.out, &[0, 0, count, count]);
        put4(&mut self.out, &short);
        put2(&mut self.out, &[comment.len() as u16]);
        self.out.extend(comment);
        self.out
    }
}

fn deflate(content: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(CompressionLvl::default());
    let mut stream = vec![0; compressor.deflate_compress_bound(content.len())];
    let length = compressor.deflate_compress(content, &mut stream).expect("enough room");
    stream.truncate(length);
    stream
}

fn put2(out: &mut Vec<u8>, values: &[u16]) {
    values.iter().for_each(|value| out.extend(value.to_le_bytes()));
}

fn put4(out: &mut Vec<u8>, values: &[u32]) {
    values.iter().for_each(|value| out.extend(value.to_le_bytes()));
}

fn put8(out: &mut Vec<u8>, values: &[u64]) {
    values.iter().for_each(|value| out.extend(value.to_le_bytes()));
}
