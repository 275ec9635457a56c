// Loads the compiler, and opens a share link or the first example.

import { Compiler } from "./compiler";
import { FIRST } from "./examples";
import { Page } from "./page";
import { decode } from "./share";
import { status } from "./tools";

async function main(): Promise<void> {
  const page = new Page(await Compiler.load("compiler.bin"));
  const open = async () => {
    try {
      const shared = await decode(location.hash);
      if (shared) page.openShared(shared);
      else page.openExample(FIRST);
    } catch (error) {
      page.openExample(FIRST);
      status(`The link cannot be read: ${error instanceof Error ? error.message : error}`, true);
    }
  };
  await page.start();
  await open();
  window.onhashchange = () => void open();
}

main().catch((error: unknown) => status(`The page cannot start: ${error}`, true));
