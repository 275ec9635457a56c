//! `cargo bench --profile dist --bench compile`: measures the speed of each stage from definitions
//! to YAML, the growth of the cost with the input, the memory, and the cost of thousands of findings
//! with one cause, which must be at most a fifth of the time without them.
//!
//! Each figure is the median of several runs in one process; the memory is the peak of a separate
//! process. Seconds are not comparable between machines, but ratios are.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a benchmark prints figures"
)]

mod causes;
mod input;

use std::env;
use std::fs;
use std::io::{self, Write};
use std::process::Command;
use std::time::{Duration, Instant};

use sandboxc::{Options, Stage, Workspace, compile_observed, write_stream};

/// That of the program.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const RUNS: usize = 7;
const STAGES: [&str; 6] = ["read", "expand", "lower", "validate", "order", "emit"];

fn main() {
    let arguments: Vec<String> = env::args().collect();
    if let [_, flag, claims, templates] = arguments.as_slice()
        && flag == "--memory"
    {
        let text = input::definitions(claims.parse().unwrap_or(0), templates.parse().unwrap_or(0));
        let size = text.len();
        run(text);
        println!("{size} {}", peak_memory().unwrap_or(0));
        return;
    }
    println!(
        "{:>8} {:>10} {:>9} {:>9} {:>10}",
        "claims", "templates", "MB", "total ms", "peak/size"
    );
    for (claims, templates) in [(1_000, 50), (10_000, 500), (100_000, 5_000)] {
        measure(claims, templates);
    }
    if !causes::measure(RUNS) {
        eprintln!("findings with one cause take too long");
        std::process::exit(1);
    }
}

/// Counts and drops the written bytes.
struct Length(usize);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The time of each stage.
fn run(text: String) -> Vec<Duration> {
    let size = text.len();
    let mut workspace = Workspace::new();
    workspace.add("input.yaml", text);
    let mut marks = Vec::new();
    let options = Options::default();
    let compilation = compile_observed(&workspace, &options, &mut |stage: Stage, _| {
        marks.push((stage, Instant::now()));
    });
    marks.push((Stage::Order, Instant::now()));
    if !compilation.diagnostics.is_empty() {
        for diagnostic in compilation.diagnostics.iter().take(3) {
            eprintln!("{}: {}", diagnostic.rule.name, diagnostic.details().message.as_prose());
        }
        std::process::exit(1);
    }
    let before_emit = Instant::now();
    let mut output = Length(0);
    let is_written = write_stream(&compilation.objects, &mut output).is_ok();
    let emit = before_emit.elapsed();
    assert!(is_written && output.0 > size, "the output holds what the input says");
    let mut times: Vec<_> =
        marks.windows(2).filter_map(|pair| Some(pair.get(1)?.1 - pair.first()?.1)).collect();
    times.push(emit);
    times
}

fn measure(claims: usize, templates: usize) {
    let text = input::definitions(claims, templates);
    let runs: Vec<_> = (0..RUNS).map(|_| run(text.clone())).collect();
    let stage = |index: usize| median(runs.iter().filter_map(|run| run.get(index).copied()));
    let total = median(runs.iter().map(|run| run.iter().sum()));
    let megabytes = text.len() as f64 / 1e6;
    let memory = memory_ratio(claims, templates).map_or("-".to_owned(), |it| format!("{it:.1}"));
    println!(
        "{claims:>8} {templates:>10} {megabytes:>9.2} {:>9.1} {memory:>10}",
        total.as_secs_f64() * 1e3
    );
    for (index, name) in STAGES.iter().enumerate() {
        let seconds = stage(index).as_secs_f64();
        println!(
            "{name:>18}: {:>8.2} ms {:>8.0} MB/s",
            seconds * 1e3,
            megabytes / seconds.max(1e-9)
        );
    }
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<_> = times.collect();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The peak memory of a process that compiles the input once, divided by the size of the input.
fn memory_ratio(claims: usize, templates: usize) -> Option<f64> {
    let program = env::current_exe().ok()?;
    let output = Command::new(program)
        .args(["--memory", &claims.to_string(), &templates.to_string()])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text.split_whitespace().map(str::parse::<f64>);
    let (size, peak) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some(peak / size)
}

/// The peak memory of this process in bytes, which only Linux reports.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
