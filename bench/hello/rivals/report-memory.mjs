/** Loaded before each program: writes the largest resident memory of the process, in kilobytes, when it ends. */
import { writeSync } from "node:fs";

process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));
