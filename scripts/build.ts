/** `npm run build`: the packages that are published, in `dist`. The repository itself runs from its sources. */
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildApp } from "@cairn/web/build";
import { bundleCode } from "./packaging/bundle-code.ts";
import { createName, writeCreatePackage } from "./packaging/create-package.ts";
import { writeDeclarations } from "./packaging/declarations.ts";
import { copyDocs } from "./packaging/docs-copy.ts";
import { findLocatedFiles } from "./packaging/located-files.ts";
import { notices } from "./packaging/notices.ts";
import { packageName } from "./packaging/parts.ts";
import { publishedManifest } from "./packaging/published-manifest.ts";
import { startCommand } from "./packaging/start-command.ts";
import { projectRoot } from "./run-command.ts";

const out = join(projectRoot, "dist", packageName);
const dist = join(out, "dist");
const manifest = publishedManifest();
const located = findLocatedFiles();

await buildApp(() => console.log("Building the web app…"));
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "bin"), { recursive: true });
const metafile = await bundleCode(dist, manifest, located);
writeDeclarations(join(dist, "types"), manifest);
for (const asset of located.assets)
  cpSync(join(projectRoot, "packages", asset), join(dist, "assets", asset), { recursive: true });
writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(join(out, "bin/cairn.mjs"), startCommand(manifest.engines.node));
chmodSync(join(out, "bin/cairn.mjs"), 0o755);
writeFileSync(join(out, "THIRD-PARTY.md"), notices(metafile));
cpSync(join(projectRoot, "LICENSE"), join(out, "LICENSE"));
cpSync(join(projectRoot, "scripts/packaging/package-readme.md"), join(out, "README.md"));
copyDocs(out);
writeCreatePackage(join(projectRoot, "dist", createName));
console.log(`${packageName} ${manifest.version} is in dist/${packageName}, and its template in dist/${createName}.`);
