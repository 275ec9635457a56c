//! The mode and the owner of a file, which a new file in its place keeps.

use std::fs::File;
use std::io;

use cap_std::fs::{Metadata, OpenOptions};

/// The mode of new files, from which the umask is taken.
pub(super) const FILE_MODE: u32 = 0o666;

/// The mode of a file that only its user may read.
pub(super) const PRIVATE_MODE: u32 = 0o600;

/// Gives a new file the owner, the group and the mode of the one that it replaces.
#[cfg(unix)]
pub(super) fn take_over(new: &File, old: &Metadata) -> io::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use cap_std::fs::MetadataExt as _;
    use rustix::fs::{Gid, Uid, fchown};

    let made = new.metadata()?;
    let owner = (made.uid() != old.uid()).then(|| Uid::from_raw(old.uid()));
    let group = (made.gid() != old.gid()).then(|| Gid::from_raw(old.gid()));
    if (owner.is_some() || group.is_some()) && fchown(new, owner, group).is_err() {
        let what = if owner.is_some() { "owner" } else { "group" };
        let why = format!("its {what} cannot be kept: run as the owner of the file");
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    // After the owner, because a change of that takes bits of the mode away.
    new.set_permissions(Permissions::from_mode(old.mode() & 0o7777))
}

/// Elsewhere a file only has attributes, of which none keeps it from being replaced.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
pub(super) fn take_over(_new: &File, _old: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Whether two directories have the same owner and group.
#[cfg(unix)]
pub(super) fn has_same_owner(old: &Metadata, new: &Metadata) -> bool {
    use cap_std::fs::MetadataExt as _;
    (old.uid(), old.gid()) == (new.uid(), new.gid())
}

#[cfg(not(unix))]
pub(super) fn has_same_owner(_old: &Metadata, _new: &Metadata) -> bool {
    true
}

/// Sets the mode of a file or directory that is created.
#[cfg(unix)]
pub(super) fn set_mode(options: &mut OpenOptions, mode: u32) {
    use cap_std::fs::OpenOptionsExt as _;
    options.mode(mode);
}

#[cfg(not(unix))]
pub(super) fn set_mode(_options: &mut OpenOptions, _mode: u32) {}

/// Opens no link, and waits for no reader or writer of a pipe.
#[cfg(unix)]
pub(super) fn without_links(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt as _;
    use rustix::fs::OFlags;
    options
        .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
}

#[cfg(not(unix))]
pub(super) fn without_links(_options: &mut OpenOptions) {}
