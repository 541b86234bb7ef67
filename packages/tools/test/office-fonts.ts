/**
 * For tests: fonts for LibreOffice, so that documents look as with the usual fonts. Carlito is metric-compatible with
 * Calibri. Colour emoji are left out, because it cannot render them.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partFolder } from "../src/rendering/renderer/require-part.ts";
import { findFonts } from "../src/rendering/typst/fonts.ts";

export function writeOfficeFonts(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-office-fonts-"));
  const more = ["@expo-google-fonts/carlito", "@expo-google-fonts/noto-emoji"].flatMap(
    (name) => partFolder(name) ?? [],
  );
  const dirs = [...findFonts().folders.filter((path) => !path.includes("color-emoji")), ...more];
  const alias = ([family, instead]: readonly [string, string]) =>
    `<alias binding="same"><family>${family}</family><prefer><family>${instead}</family></prefer></alias>`;
  const aliases = (
    [
      ["Calibri", "Carlito"],
      ["Georgia", "Source Serif 4"],
      ["Consolas", "DejaVu Sans Mono"],
      ["Segoe UI Symbol", "DejaVu Sans"],
      ["Cambria Math", "DejaVu Serif"],
    ] as const
  ).map(alias);
  const lines = [
    '<?xml version="1.0"?>',
    "<fontconfig>",
    '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
    ...dirs.map((path) => `<dir>${path}</dir>`),
    `<cachedir>${join(folder, "cache")}</cachedir>`,
    ...aliases,
    "</fontconfig>",
  ];
  const file = join(folder, "fonts.conf");
  writeFileSync(file, lines.join("\n"));
  return file;
}
