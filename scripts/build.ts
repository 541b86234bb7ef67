/** `npm run build`: the packages that are published, in `dist`. The repository itself runs from its sources. */
import { join } from "node:path";
import { buildPackage } from "./packaging/build-package.ts";
import { createName, writeCreatePackage } from "./packaging/create-package.ts";
import { packageName, version } from "./packaging/parts.ts";
import { projectRoot } from "./run-command.ts";

await buildPackage(join(projectRoot, "dist", packageName));
writeCreatePackage(join(projectRoot, "dist", createName));
console.log(`${packageName} ${version} is in dist/${packageName}, and its template in dist/${createName}.`);
