/** The licences of the libraries in the bundle and in the web app, whose authors require that they are passed on. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { projectRoot } from "../run-command.ts";
import { placesOfWebApp } from "./licences.ts";

const LIBRARY = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Our own files that contain data of a library. */
const TAKEN_FROM = new Map([["packages/timeline/src/tokens/o200k/o200k.json", "node_modules/gpt-tokenizer"]]);

export function notices({ inputs }: Metafile): string {
  const bundled = Object.keys(inputs).flatMap((path) => LIBRARY.exec(path)?.[1] ?? TAKEN_FROM.get(path) ?? []);
  const folders = new Set([...bundled.map((folder) => join(projectRoot, folder)), ...placesOfWebApp()]);
  const texts = [...folders].map(noticeOf).sort();
  return `# Libraries in this package\n\n${texts.join("\n\n")}\n`;
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined || !existsSync(join(folder, file)) ? "" : readFileSync(join(folder, file), "utf8");
  return `## ${name} ${version} (${typeof license === "string" ? license : "see below"})\n\n${text.trim()}`.trim();
}
