/** Writes the published package into a folder. Scripts of the web app are complete there, but not yet compressed. */
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildApp } from "@cairn/web/build";
import { projectRoot } from "../run-command.ts";
import { bundleCode } from "./bundle-code.ts";
import { writeDeclarations } from "./declarations.ts";
import { copyDocs } from "./docs-copy.ts";
import { findLocatedFiles } from "./located-files.ts";
import { notices } from "./notices.ts";
import { publishedManifest } from "./published-manifest.ts";
import { startCommand } from "./start-command.ts";

export async function buildPackage(out: string): Promise<void> {
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
}
