/**
 * The fonts of PDF and PNG. The fonts come from npm packages, so that a document looks the same on every machine;
 * system fonts are not used.
 *
 * If a package is not installed, its script uses the next font, or empty boxes.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { partFolder } from "../renderer/require-part.ts";

interface FontPackage {
  readonly name: string;
  readonly family: string;
  readonly files: readonly string[];
}

const google = (name: string, family: string, weights: readonly string[]): FontPackage => {
  const file = family.replaceAll(" ", "");
  return {
    name: `@expo-google-fonts/${name}`,
    family,
    files: weights.map((weight) => `${weight}/${file}_${weight}.ttf`),
  };
};

const UPRIGHT = ["400Regular", "700Bold"];
const TEXT = ["400Regular", "400Regular_Italic", "600SemiBold", "600SemiBold_Italic", "700Bold", "700Bold_Italic"];

/** Font packages, in the order in which a character is looked up. */
const PACKAGES: readonly FontPackage[] = [
  google("inter", "Inter", TEXT),
  google("source-serif-4", "Source Serif 4", TEXT),
  google("jetbrains-mono", "JetBrains Mono", ["400Regular", "400Regular_Italic", "700Bold"]),
  google("noto-sans", "Noto Sans", ["400Regular", "400Regular_Italic", "700Bold", "700Bold_Italic"]),
  google("noto-sans-arabic", "Noto Sans Arabic", UPRIGHT),
  google("noto-sans-hebrew", "Noto Sans Hebrew", UPRIGHT),
  google("noto-sans-devanagari", "Noto Sans Devanagari", UPRIGHT),
  google("noto-sans-thai", "Noto Sans Thai", UPRIGHT),
  google("noto-sans-sc", "Noto Sans SC", UPRIGHT),
  google("noto-sans-kr", "Noto Sans KR", UPRIGHT),
  google("noto-color-emoji", "Noto Color Emoji", ["400Regular"]),
  {
    name: "dejavu-fonts-ttf",
    family: "DejaVu Sans",
    files: ["ttf/DejaVuSans.ttf", "ttf/DejaVuSans-Bold.ttf", "ttf/DejaVuSans-Oblique.ttf", "ttf/DejaVuSansMono.ttf"],
  },
];

export interface FoundFonts {
  readonly files: readonly string[];
  /** Folders of the packages that are installed. */
  readonly folders: readonly string[];
  /** Font families for characters that a text's own font lacks. */
  readonly fallback: readonly string[];
  readonly missing: readonly string[];
}

const NOT_FOR_FALLBACK = new Set(["Inter", "Source Serif 4", "JetBrains Mono"]);

export function findFonts(): FoundFonts {
  const files: string[] = [];
  const folders: string[] = [];
  const fallback: string[] = [];
  const missing: string[] = [];
  for (const { name, family, files: names } of PACKAGES) {
    const folder = partFolder(name);
    const found = folder === null ? [] : names.map((file) => join(folder, file)).filter((file) => existsSync(file));
    if (folder === null || found.length === 0) {
      missing.push(name);
      continue;
    }
    files.push(...found);
    folders.push(folder);
    if (!NOT_FOR_FALLBACK.has(family)) fallback.push(family);
  }
  return { files, folders, fallback, missing };
}
