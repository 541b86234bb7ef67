/** Fonts of documents for Chromium on Linux, in addition to those of the system, so that every script has one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFonts } from "../typst/fonts.ts";

export interface FontConfig {
  readonly file: string;
  remove(): void;
}

export function writeFontConfig(): FontConfig {
  const folder = mkdtempSync(join(tmpdir(), "cairn-fonts-"));
  const file = join(folder, "fonts.conf");
  const escaped = (path: string) => path.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const dirs = findFonts().folders.map((path) => `<dir>${escaped(path)}</dir>`);
  writeFileSync(
    file,
    `<?xml version="1.0"?>\n<fontconfig>\n<include ignore_missing="yes">/etc/fonts/fonts.conf</include>\n${dirs.join("\n")}\n<cachedir prefix="xdg">fontconfig</cachedir>\n</fontconfig>\n`,
  );
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
