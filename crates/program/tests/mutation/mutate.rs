//! Damages class files in ways that get past the first checks: structure-aware where that matters.

use bytes::Bytes;
use classfile::{Attribute, ClassFile};

/// A class file and the places in it that are worth damaging.
pub(crate) struct Seed {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// Offsets of two-byte fields: counts, lengths, indices, limits.
    fields: Vec<usize>,
    /// Offset and length of each instruction of each method.
    instructions: Vec<(usize, usize)>,
}

/// Xorshift, so that a failure can be repeated.
pub(crate) struct Random(u64);

impl Random {
    /// Near seeds must not give near sequences.
    pub(crate) fn new(seed: u64) -> Random {
        Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }

    fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }
}

impl Seed {
    pub(crate) fn new(name: String, bytes: Vec<u8>) -> Seed {
        let mut seed = Seed { name, bytes, fields: Vec::new(), instructions: Vec::new() };
        // Constant pool count.
        seed.fields.push(8);
        if let Ok(file) = ClassFile::parse(Bytes::copy_from_slice(&seed.bytes)) {
            file.attributes().for_each(|attribute| seed.add_attribute(attribute));
            for member in file.fields.iter().chain(&file.methods) {
                member.attributes(&file).for_each(|attribute| seed.add_attribute(attribute));
                if let Ok(Some(code)) = member.code(&file) {
                    code.attributes().for_each(|attribute| seed.add_attribute(attribute));
                    seed.add_code(&file, member, &code);
                }
            }
        }
        seed.fields.retain(|&at| at + 2 <= seed.bytes.len());
        seed
    }

    /// Its name, the low half of its length, and its first words: mostly counts and indices.
    fn add_attribute(&mut self, attribute: Attribute<'_>) {
        let start = attribute.offset;
        self.fields.extend([start - 6, start - 2]);
        self.fields.extend((0..attribute.bytes.len().min(16)).step_by(2).map(|at| start + at));
    }

    fn add_code(
        &mut self,
        file: &ClassFile,
        member: &classfile::Member,
        code: &classfile::Code<'_>,
    ) {
        let is_code = |a: &Attribute<'_>| file.bytes(a.name) == b"Code";
        let Some(attribute) = member.attributes(file).find(is_code) else { return };
        let start = attribute.offset + 8;
        for instruction in code.instructions().map_while(Result::ok) {
            let length = (instruction.next_pc - instruction.pc) as usize;
            self.instructions.push((start + instruction.pc as usize, length));
        }
        // The exception table and its count.
        let table = start + code.bytes.len();
        self.fields.extend((0..=code.exception_table.len() * 8).step_by(2).map(|at| table + at));
    }

    pub(crate) fn mutate(&self, other: &Seed, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        match random.below(10) {
            0 => bytes.truncate(random.below(bytes.len())),
            1 => {
                let tail = &other.bytes[random.below(other.bytes.len())..];
                bytes.truncate(random.below(bytes.len()));
                bytes.extend(tail);
            }
            2 | 3 => self.change_bytes(&mut bytes, random),
            4 | 5 => self.change_fields(&mut bytes, random),
            _ => self.change_code(&mut bytes, random),
        }
        bytes
    }

    fn change_bytes(&self, bytes: &mut [u8], random: &mut Random) {
        for _ in 0..=random.below(8) {
            let at = random.below(bytes.len());
            bytes[at] = match random.below(3) {
                0 => bytes[at] ^ 1 << random.below(8),
                1 => [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
                _ => random.byte(),
            };
        }
    }

    fn change_fields(&self, bytes: &mut [u8], random: &mut Random) {
        for _ in 0..=random.below(3) {
            let at = self.fields[random.below(self.fields.len())];
            let old = u16::from_be_bytes([bytes[at], bytes[at + 1]]);
            let new = match random.below(4) {
                0 => [0, 1, 2, 255, 256, 0x7fff, 0x8000, 0xffff][random.below(8)],
                1 => old.wrapping_add(1),
                2 => old.wrapping_sub(1),
                // Mostly a valid index or pc.
                _ => random.below(128) as u16,
            };
            bytes[at..at + 2].copy_from_slice(&new.to_be_bytes());
        }
    }

    /// Whole instructions: another opcode, another operand, or the bytes of another one.
    fn change_code(&self, bytes: &mut [u8], random: &mut Random) {
        if self.instructions.is_empty() {
            return self.change_bytes(bytes, random);
        }
        for _ in 0..=random.below(4) {
            let (at, length) = self.instructions[random.below(self.instructions.len())];
            let same_length = |&(_, other): &(usize, usize)| other == length;
            let alike: Vec<_> = self.instructions.iter().copied().filter(same_length).collect();
            let (from, _) = alike[random.below(alike.len())];
            match random.below(4) {
                0 => bytes[at] = self.bytes[from],
                1 => bytes[at] = random.below(202) as u8,
                2 => bytes[at + length - 1] = random.below(64) as u8,
                _ => bytes[at..at + length].copy_from_slice(&self.bytes[from..from + length]),
            }
        }
    }
}
