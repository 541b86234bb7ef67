/** Finds the browser on this machine: preferably the small headless one, which starts in a tenth of the time. */
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

const NAMES = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

export const HOW_TO_INSTALL =
  "HTML needs Chromium. Install it with apt-get install chromium-headless-shell (Debian) or put any Chromium or Chrome on the PATH, and run npm install playwright-core.";

/** The browser's path; null when there is none. `given` is a path or a name that takes precedence. */
export function findChromium(given: string | undefined): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const names = given === undefined ? NAMES : [given];
  const paths = names.flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))));
  return [...paths, ...(given === undefined ? PLACES : [])].find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // The file does not exist or is not executable.
  }
}
