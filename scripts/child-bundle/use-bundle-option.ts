/** The option for Node that makes a process load the bundle of system tests. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const USE_BUNDLE = `--import=${pathToFileURL(join(import.meta.dirname, "use-bundle.mjs"))}`;
