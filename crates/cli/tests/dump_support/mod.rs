//! Running the built `jury`, and archives made byte by byte for it.

#![allow(dead_code, reason = "each test uses its part")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use testkit::jdk;

/// What a run left behind.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `jury`; output that is no UTF-8 is an error.
pub(crate) fn jury<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Result<Ran> {
    jury_with(arguments, |command| command)
}

/// As `jury`, with a changed environment.
pub(crate) fn jury_with<A: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = A>,
    change: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<Ran> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    command.args(arguments).stdin(Stdio::null());
    let output = change(&mut command).output().context("cannot run jury")?;
    Ok(Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).context("on standard output")?,
        stderr: String::from_utf8(output.stderr).context("on standard error")?,
    })
}

/// A fresh directory of this name for one test.
pub(crate) fn scratch(name: &str) -> Result<PathBuf> {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if directory.exists() {
        std::fs::remove_dir_all(&directory)?;
    }
    std::fs::create_dir_all(&directory)?;
    Ok(directory)
}

/// The home of the JDK that tests run with.
pub(crate) fn jdk_home() -> Result<&'static Path> {
    Ok(&jdk::current()?.home)
}

/// One member of a zip file under construction.
pub(crate) struct Entry {
    name: Vec<u8>,
    method: u16,
    crc: u32,
    data: Vec<u8>,
    size: u32,
}

impl Entry {
    pub(crate) fn stored(name: impl AsRef<[u8]>, content: &[u8]) -> Entry {
        Entry {
            name: name.as_ref().to_vec(),
            method: 0,
            crc: libdeflater::crc32(content),
            data: content.to_vec(),
            size: content.len() as u32,
        }
    }

    /// Compressed; the size is what the archive says, which may be a lie.
    pub(crate) fn deflated(name: impl AsRef<[u8]>, content: &[u8], size: u32) -> Result<Entry> {
        let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::best());
        let mut data = vec![0; compressor.deflate_compress_bound(content.len())];
        let length = compressor.deflate_compress(content, &mut data)?;
        data.truncate(length);
        let crc = libdeflater::crc32(content);
        Ok(Entry { name: name.as_ref().to_vec(), method: 8, crc, data, size })
    }

    pub(crate) fn spoil_crc(&mut self) {
        self.crc ^= 1;
    }

    /// What local and central header share, from the version on.
    fn fields(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Version 2.0, flag 11 for UTF-8 names, then method, time and date.
        for word in [20, 1 << 11, self.method, 0, 0x21] {
            bytes.extend(u16::to_le_bytes(word));
        }
        for word in [self.crc, self.data.len() as u32, self.size] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes.extend([0, 0]);
        bytes
    }
}

/// A zip file with these entries.
pub(crate) fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let offset = bytes.len() as u32;
        bytes.extend(b"PK\x03\x04");
        bytes.extend(entry.fields());
        bytes.extend(&entry.name);
        bytes.extend(&entry.data);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(entry.fields());
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(&entry.name);
    }
    let (start, length) = (bytes.len() as u32, directory.len() as u32);
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    for _ in 0..2 {
        bytes.extend((entries.len() as u16).to_le_bytes());
    }
    bytes.extend(length.to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}
