/** `node scripts/check-size.ts`: fails if the packages of this repository take more than the limit. */
import { join } from "node:path";
import { megabytesOf, SIZE_LIMIT } from "./packaging/installed-size.ts";
import { projectRoot } from "./run-command.ts";

const size = Math.round(megabytesOf(join(projectRoot, "node_modules")));
console.log(`${size} MB in node_modules, limit ${SIZE_LIMIT} MB`);
// The programs for other systems have other sizes.
const isMeasured = process.platform === "linux" && process.arch === "x64";
if (isMeasured && size > SIZE_LIMIT) {
  console.error("Find the largest with: du -m node_modules | sort -n | tail -40");
  console.error("Add files that nothing reads to scripts/remove-unused-files.mjs, or use a smaller package.");
  process.exitCode = 1;
}
