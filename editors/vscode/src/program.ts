// Which program is started: never one that a folder contains, which may be a stranger's. No part of the editor is
// needed here, so it is tested under Node.

import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";

/** The machine: its `PATH`, and whether a file is a program. */
export interface Machine {
  readonly isWindows: boolean;
  readonly searched: string;
  isProgram(file: string): boolean;
}

/** This machine. */
export function thisMachine(): Machine {
  return {
    isWindows: process.platform === "win32",
    searched: process.env.PATH ?? "",
    isProgram: (file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    },
  };
}

/**
 * The program: the one that the setting names by its absolute path, or else the first on the `PATH`. Relative
 * directories of the `PATH`, and those in an open folder, are left out. An error is for the user.
 */
export function findProgram(setting: string, folders: readonly string[], machine: Machine): string {
  const paths = machine.isWindows ? win32 : posix;
  if (setting !== "") {
    if (!paths.isAbsolute(setting)) {
      throw new Error(`\`sandboxc.path\` must be an absolute path, and is \`${setting}\``);
    }
    return setting;
  }
  const isInside = (directory: string, folder: string): boolean => {
    const below = paths.relative(folder, directory);
    return below === "" || (!paths.isAbsolute(below) && below.split(paths.sep)[0] !== "..");
  };
  for (const directory of machine.searched.split(paths.delimiter)) {
    if (!paths.isAbsolute(directory) || folders.some((folder) => isInside(directory, folder))) {
      continue;
    }
    const file = paths.join(directory, machine.isWindows ? "sandboxc.exe" : "sandboxc");
    if (machine.isProgram(file)) {
      return file;
    }
  }
  throw new Error("`sandboxc` is not on the `PATH`");
}
