/**
 * `node scripts/check-size.ts`: fails if the files that git tracks and the packages that `npm install` adds take more than
 * the limit. The history in `.git` is not counted, because its size depends on how the repository was cloned.
 */
import { CLONE_LIMIT, cloneSize } from "./packaging/installed-size.ts";

const { installed, files } = cloneSize();
const total = Math.round(installed + files);
console.log(
  `${total} MB without .git (${Math.round(installed)} MB in node_modules, ${Math.round(files)} MB in git's files), limit ${CLONE_LIMIT} MB`,
);
// On other systems, the installed programs have other sizes, so the limit is checked on Linux only.
const isMeasured = process.platform === "linux" && process.arch === "x64";
if (isMeasured && total > CLONE_LIMIT) {
  console.error("Find the largest with: du -m node_modules | sort -n | tail -40");
  console.error("Add files that nothing reads to scripts/remove-unused-files.mjs, or use a smaller package.");
  process.exitCode = 1;
}
