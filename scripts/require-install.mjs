/**
 * Runs before the scripts that are TypeScript. This file is plain JavaScript, so that any Node can run it. Without
 * node_modules, the machine's own Node would start the scripts and fail on the first type.
 */
import { existsSync } from "node:fs";

const wanted = 24;
const installed = existsSync(new URL("../node_modules/.bin/vitest", import.meta.url));
const found = Number(process.versions.node.split(".")[0]);

if (!installed || found < wanted) {
  const what = installed ? `Node ${process.versions.node} was started` : "the dependencies are not installed";
  console.error(`Cairn needs Node ${wanted} or newer, which npm installs with the project; ${what}.`);
  console.error(installed ? "Start it with npm: npm test, npm run check." : "Run: npm install");
  process.exit(1);
}
