/**
 * The files of a skill: scripts, references, assets and anything else in its folder. Hidden names and `node_modules` are
 * left out. Links are not listed, and are read only if they stay in the folder.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ifMissing } from "../workspace/missing-file.ts";
import { checkFile, placeIn, refuse } from "../workspace/safe-path.ts";
import { badSkill, type Skill } from "./skill.ts";

interface SkillFile {
  /** Path relative to the skill's folder, with `/` as separator. */
  readonly path: string;
  readonly bytes: number;
}

const MAX_FILES = 1_000;
const MAX_TOTAL_BYTES = 100 * 1024 * 1024;
/** Maximum size of a file that is read for the model. */
const MAX_READ_BYTES = 8 * 1024 * 1024;
/** Maximum number of files that are listed for the model. */
const MAX_LISTED = 200;

/** Throws `bad_skill` for a skill that is too large to be given to programs. */
export async function checkSkillSize(skill: Skill): Promise<void> {
  let total = 0;
  for (const { bytes } of await skillFiles(skill)) total += bytes;
  if (total > MAX_TOTAL_BYTES) throw badSkill("its files are larger than 100 MB together.");
}

/** All files including `SKILL.md`, in a fixed order. Throws `bad_skill` for a folder with too many. */
export async function skillFiles({ folder }: Skill): Promise<readonly SkillFile[]> {
  const files: SkillFile[] = [];
  const left = ["."];
  let seen = 0;
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true }).catch(ifMissing([]))) {
      if (isLeftOut(entry.name)) continue;
      if (++seen > MAX_FILES) throw badSkill(`it has more than ${MAX_FILES} files and folders.`);
      const path = at === "." ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) left.push(path);
      else if (entry.isFile()) files.push({ path, bytes: (await stat(join(folder, path))).size });
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A name with a control character or a backslash cannot be part of a logical path. */
function isLeftOut(name: string): boolean {
  return name.startsWith(".") || name === "node_modules" || /[\p{Cc}\\]/u.test(name);
}

/** The content at a path of a skill: its text with the list of its files, or the bytes of one file. */
type SkillContent = { readonly text: string } | { readonly file: string; readonly bytes: Uint8Array };

/**
 * The content at `<name>` or `<name>/<file>`; null when there is no such skill or file. Throws `unsafe_path` and
 * `too_large`.
 */
export async function readSkill(skills: readonly Skill[], path: string): Promise<SkillContent | null> {
  const slash = path.indexOf("/");
  const skill = skills.find(({ name }) => name === (slash === -1 ? path : path.slice(0, slash)));
  if (skill === undefined) return null;
  if (slash === -1) return { text: await wholeText(skill) };
  const file = checkFile(path.slice(slash + 1));
  if (file.split("/").some(isLeftOut)) return null;
  const place = await placeIn(skill.folder, file);
  const found = await stat(place).catch(ifMissing(null));
  if (found === null || !found.isFile()) return null;
  if (found.size > MAX_READ_BYTES)
    throw refuse("too_large", `sk:${path}`, `it has ${found.size} bytes; at most ${MAX_READ_BYTES} are read.`);
  return { file, bytes: await readFile(place) };
}

async function wholeText(skill: Skill): Promise<string> {
  const { name, compatibility, text } = skill;
  const files = (await skillFiles(skill)).filter(({ path }) => path !== "SKILL.md");
  const parts = [text];
  if (compatibility !== undefined) parts.push(`Compatibility: ${compatibility}`);
  if (files.length > 0) {
    const listed = files.slice(0, MAX_LISTED).map(({ path, bytes }) => `- sk:${name}/${path} (${bytes} bytes)`);
    if (files.length > MAX_LISTED) listed.push(`- and ${files.length - MAX_LISTED} more`);
    parts.push(`Files of this skill. Paths in the text above are relative to sk:${name}/:\n${listed.join("\n")}`);
  }
  return parts.length === 1 ? text : parts.map((part) => part.trimEnd()).join("\n\n");
}
