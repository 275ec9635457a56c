//! The file that standard output is redirected to, which is not an input.

#[cfg(unix)]
pub(super) use identified::OutputFile;

#[cfg(unix)]
mod identified {
    use std::fs::{self, File};
    use std::io;
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    /// A regular file, by its device and number.
    #[derive(PartialEq, Eq)]
    pub(crate) struct OutputFile {
        device: u64,
        number: u64,
    }

    impl OutputFile {
        /// That of standard output, unless it is a terminal, a pipe or a device.
        pub(crate) fn of_process() -> Option<Self> {
            let descriptor = io::stdout().as_fd().try_clone_to_owned().ok()?;
            Self::of(&File::from(descriptor).metadata().ok()?)
        }

        /// Whether a path leads to it.
        pub(crate) fn is(&self, path: &Path) -> bool {
            fs::metadata(path).is_ok_and(|metadata| Self::of(&metadata).as_ref() == Some(self))
        }

        fn of(metadata: &fs::Metadata) -> Option<Self> {
            let (device, number) = (metadata.dev(), metadata.ino());
            metadata.is_file().then_some(Self { device, number })
        }
    }
}

/// Elsewhere, the file cannot be recognized.
#[cfg(not(unix))]
pub(crate) struct OutputFile;

#[cfg(not(unix))]
impl OutputFile {
    pub(crate) fn of_process() -> Option<Self> {
        None
    }

    pub(crate) fn is(&self, _path: &std::path::Path) -> bool {
        false
    }
}
