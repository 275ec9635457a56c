//! The `sandboxc` command.

mod cli;

/// Compiling creates and frees small values in all threads, which takes a fifth of its time with the
/// allocator of glibc.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::run()
}
