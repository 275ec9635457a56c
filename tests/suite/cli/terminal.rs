//! The width of a real terminal, without `COLUMNS`.

use std::fs::File;
use std::io::Read as _;
use std::process::Stdio;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::Folder;
use super::reports::WITHOUT_SECRET;

/// The messages of `check`, on a terminal with this many columns.
fn on_terminal(folder: &Folder, columns: u16) -> String {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&controller, size).unwrap();
    let terminal = open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    let mut command = folder.command(&["--color=never", "check", "web"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::from(terminal)).spawn().unwrap();
    // Closes this process' end of the terminal, so that reading ends with the program.
    drop(command);
    let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
    let mut controller = File::from(controller);
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
