//! The width of a real terminal, without `COLUMNS`.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::process::Stdio;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::Folder;
use super::reports::WITHOUT_SECRET;

/// Both ends of a terminal with this many columns.
fn terminal(columns: u16) -> (File, OwnedFd) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&controller, size).unwrap();
    let terminal = open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    (File::from(controller), terminal)
}

/// The messages of `check`, on a terminal with this many columns.
fn on_terminal(folder: &Folder, columns: u16) -> String {
    let (mut controller, terminal) = terminal(columns);
    let mut command = folder.command(&["--color=never", "check", "web"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::from(terminal)).spawn().unwrap();
    // Closes this process' end of the terminal, so that reading ends with the program.
    drop(command);
    let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
    // Linux reports the end of a terminal as an error.
    while let Ok(length @ 1..) = controller.read(&mut buffer) {
        text.extend_from_slice(&buffer[..length]);
    }
    assert!(child.wait().unwrap().success());
    String::from_utf8(text).unwrap().replace("\r\n", "\n")
}

#[test]
fn messages_fit_into_a_terminal() {
    let folder = Folder::new(&[("web/a.yaml", WITHOUT_SECRET)]);
    let mut lines = Vec::new();
    for columns in [60, 80, 200] {
        let text = on_terminal(&folder, columns);
        assert!(text.contains("secret-not-found"), "{text}");
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= usize::from(columns), "{columns}\n{text}");
        lines.push(text.lines().count());
    }
    assert!(lines[0] > lines[2], "{lines:?}");
}

/// Not elsewhere, as the tests of `--watch` check.
#[test]
fn watching_clears_a_terminal() {
    let folder = Folder::new(&[("web/a.yaml", WITHOUT_SECRET)]);
    let (mut controller, terminal) = terminal(80);
    let mut command = folder.command(&["--color=never", "check", "web", "--watch"]);
    command.env("TERM", "xterm").stdout(Stdio::null()).stderr(Stdio::from(terminal));
    let mut child = command.spawn().unwrap();
    drop(command);
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    while !text.contains("watching for changes")
        && let Ok(length @ 1..) = controller.read(&mut buffer)
    {
        text.push_str(&String::from_utf8_lossy(&buffer[..length]));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(text.starts_with("\u{1b}[2J\u{1b}[H") && text.contains("secret-not-found"), "{text}");
}
