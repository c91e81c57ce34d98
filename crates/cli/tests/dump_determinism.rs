//! The same input gives the same bytes, on one thread or two, time after time.

mod dump_support;

use std::ffi::OsStr;

use anyhow::{Context, Result, ensure};
use dump_support::{jdk_home, jury};
use testkit::jars;

const TIMES: usize = 10;

fn check_same(arguments: &[&str]) -> Result<()> {
    let jar = jars::jar("org.apache.commons:commons-lang3:3.17.0")?;
    let mut first: Option<String> = None;
    for threads in ["1", "2"] {
        for _ in 0..TIMES {
            let options = ["dump", "--threads", threads, "--jdk"].map(OsStr::new);
            let paths = [jdk_home()?.as_os_str(), jar.as_os_str()];
            let member = arguments.iter().map(OsStr::new);
            let ran = jury(options.into_iter().chain(paths).chain(member))?;
            ensure!(ran.code == Some(0) && ran.stderr.is_empty(), "{}", ran.stderr);
            let first = first.get_or_insert_with(|| ran.stdout.clone());
            ensure!(*first == ran.stdout, "{arguments:?} with {threads} threads differs");
        }
    }
    let text = first.context("there was a run")?;
    ensure!(text.lines().count() > 100, "too little to compare: {text}");
    Ok(())
}

#[test]
fn hierarchy() -> Result<()> {
    check_same(&[])
}

#[test]
fn class() -> Result<()> {
    check_same(&["org.apache.commons.lang3.StringUtils"])
}

/// Of the statistics, all but what they measure.
#[test]
fn statistics() -> Result<()> {
    let jar = jars::jar("org.apache.commons:commons-lang3:3.17.0")?;
    let mut first: Option<serde_json::Value> = None;
    for threads in ["1", "2", "1", "2"] {
        let options = ["dump", "--stats", "--format", "json", "--threads", threads];
        let ran = jury(options.into_iter().map(OsStr::new).chain([jar.as_os_str()]))?;
        let mut json: serde_json::Value = serde_json::from_str(&ran.stdout)?;
        let object = json.as_object_mut().context("an object")?;
        object.retain(|key, _| !key.ends_with("seconds") && key != "peak_mib");
        let first = first.get_or_insert_with(|| json.clone());
        assert_eq!(*first, json, "with {threads} threads");
    }
    Ok(())
}
