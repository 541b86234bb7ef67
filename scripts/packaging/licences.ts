/** The licences of the libraries that users of the published package get: in its bundle, its web app, or beside it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../run-command.ts";
import { parts } from "./parts.ts";

interface Library {
  readonly name: string;
  /** The licence as the library's `package.json` states it; null if it states none. */
  readonly licence: string | null;
}

interface Manifest {
  readonly name: string;
  readonly license?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Licences that allow closed and commercial use, and only require that their text is passed on. */
const ALLOWED = new Set([
  ...["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT", "MIT-0"],
  ...["OFL-1.1", "Python-2.0", "Unlicense", "Zlib"],
]);

/** Libraries with another licence, which a person has read. */
const READ = new Map([
  ["dejavu-fonts-ttf", "Bitstream Vera: the fonts may be part of programs and documents of any licence."],
  ["pyodide", "MPL-2.0: binds changed files of Pyodide only. It is installed beside Cairn, unchanged."],
]);

export function isAllowed({ name, licence }: Library): boolean {
  if (READ.has(name)) return true;
  const choices = (licence ?? "").replace(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((each) => ALLOWED.has(each.trim())));
}

/** The libraries with their dependencies. Optional libraries for other systems are not installed and not listed. */
export function librariesOfUsers(): readonly Library[] {
  const places = [...parts.map((part) => part.folder), "packages/web"].flatMap((each) => {
    const folder = join(projectRoot, each);
    const { dependencies, peerDependencies } = manifestIn(folder);
    return placesOf(folder, { ...dependencies, ...peerDependencies }, true);
  });
  const libraries = [...new Set(places)].map((place): Library => {
    const { name, license } = manifestIn(place);
    return { name, licence: typeof license === "string" ? license : null };
  });
  return libraries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The folders of the libraries whose code, styles and fonts are in the built web app. */
export function placesOfWebApp(): readonly string[] {
  const folder = join(projectRoot, "packages/web");
  return placesOf(folder, manifestIn(folder).dependencies ?? {}, false);
}

/** The folders of libraries and of what they depend on. */
function placesOf(from: string, names: object, withOptional: boolean): readonly string[] {
  const found = new Set<string>();
  const add = (folder: string, needed: object) => {
    for (const name of Object.keys(needed).filter((each) => !/^@cairn\/|^cairn-agent$/.test(each))) {
      const place = installedAt(folder, name);
      if (place === null || found.has(place)) continue;
      found.add(place);
      const { dependencies, optionalDependencies } = manifestIn(place);
      add(place, { ...dependencies, ...(withOptional && optionalDependencies) });
    }
  };
  add(from, names);
  return [...found];
}

/** The folder in which Node finds a package; null if it is not installed. */
function installedAt(from: string, name: string): string | null {
  for (let folder = from; folder.startsWith(projectRoot); folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(join(place, "package.json"))) return place;
  }
  return null;
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
