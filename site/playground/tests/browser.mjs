// The browser and the page of a test.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { chromium } from "playwright-core";
import { serve } from "../build/serve.mjs";

const PLAYGROUND = path.resolve(import.meta.dirname, "..");
export const ROOT = path.resolve(PLAYGROUND, "../..");
const SCREENSHOTS = path.join(PLAYGROUND, "screenshots");

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Starts a browser and a server of a folder. */
export async function start(folder = path.join(PLAYGROUND, "dist")) {
  const server = await serve(folder);
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  // In a container of CI there is no user namespace for the sandbox.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  return {
    address: server.address,
    /** A new page with the fragment, when it has checked its first files. */
    async open(fragment = "", options = {}) {
      const page = await this.visit(fragment, options);
      await checked(page);
      return page;
    },
    /** A new page at an address below that of the server. */
    async visit(address, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      const problems = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(message.text());
      });
      await page.goto(server.address + address);
      return Object.assign(page, { problems });
    },
    async stop() {
      await browser.close();
      server.stop();
    },
  };
}

/** What axe finds in a page: the rule and the elements. */
export async function violations(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map((it) => `${it.id}: ${it.nodes.map((node) => node.target.join(" ")).join(", ")}`);
}

/** Waits until the status line has the counts of a check. */
export function checked(page) {
  return page.waitForFunction(() => /\d+ errors?, /.test(document.getElementById("status").textContent));
}

/** Runs something that changes the files, and waits for the check after it. */
export async function after(page, change) {
  await page.evaluate(() => {
    document.getElementById("status").textContent = "";
  });
  await change();
  await checked(page);
}

/** Drops files onto the page: names with `/` are in folders. */
export async function drop(page, files) {
  await after(page, () =>
    page.evaluate((files) => {
      const transfer = new DataTransfer();
      for (const { name, text } of files) transfer.items.add(new File([text], name));
      const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
      document.getElementById("editor").dispatchEvent(event);
    }, files),
  );
}

/** Drops files or folders of this machine, as from a file manager. */
export async function dropFromDisk(page, paths) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  await after(page, async () => {
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await session.send("Input.dispatchDragEvent", { type, x: 300, y: 400, data });
    }
  });
}

export async function pane(page, id) {
  await page.click(`[data-tab=${id}]`);
  return page.locator(`#pane-${id}`);
}

/** The rule and place of each finding of the list. */
export function findings(page) {
  return page.locator("#pane-findings .place").allTextContents();
}

export async function screenshot(page, name, folder = SCREENSHOTS) {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

/** The program with which the page is compared. */
export function program() {
  const candidates = ["target/dist", "target/release", "target/debug"].map((it) => path.join(ROOT, it, "sandboxc"));
  const found = process.env.SANDBOXC_BINARY ?? candidates.find((it) => existsSync(it));
  if (!found) throw new Error("no program to compare with: run `cargo build`, or set SANDBOXC_BINARY");
  return found;
}

/** The JSON of `check`, which also ends with 1 if there are findings. */
export function checkWithProgram(args, cwd) {
  const all = ["check", "--format", "json", ...args];
  try {
    return JSON.parse(execFileSync(program(), all, { cwd, encoding: "utf8", maxBuffer: 1 << 28 }));
  } catch (error) {
    if (!error.stdout) throw error;
    return JSON.parse(error.stdout);
  }
}
