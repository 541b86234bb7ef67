/** `npm run build`: the packages that are published, in `dist`. The repository itself runs from its sources. */
import { join } from "node:path";
import { installCheckers } from "@cairn/testkit/checkers";
import { buildPackage } from "./packaging/build-package.ts";
import { createName, writeCreatePackage } from "./packaging/create-package.ts";
import { packScripts } from "./packaging/pack-scripts.ts";
import { packageName, version } from "./packaging/parts.ts";
import { projectRoot } from "./run-command.ts";

if (!installCheckers()) throw new Error("The build needs TypeScript.");
const folder = join(projectRoot, "dist", packageName);
await buildPackage(folder);
packScripts(join(folder, "dist/assets/web/dist"));
writeCreatePackage(join(projectRoot, "dist", createName));
console.log(`${packageName} ${version} is in dist/${packageName}, and its template in dist/${createName}.`);
