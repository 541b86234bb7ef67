/**
 * Skills: instructions an agent reads when a task calls for them. Each is a folder with a `SKILL.md`; its name and
 * description are part of the agent's instructions, its text is read with `react.read` at `sk:<name>`, and other texts
 * of its folder at `sk:<name>/<file>`.
 *
 * Skills are loaded once, so the instructions of a conversation do not change.
 */
import { readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { CairnError, errorCode } from "@cairn/timeline";
import { decodeText } from "../workspace/media.ts";
import { isMissing } from "../workspace/missing-file.ts";
import { checkFile, placeIn } from "../workspace/safe-path.ts";
import { readFrontMatter } from "./front-matter.ts";

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** `SKILL.md` without its front matter. */
  readonly text: string;
  /** Absolute path of its folder. */
  readonly folder: string;
}

const SKILL_NAME = /^[\p{L}\p{N}_-][\p{L}\p{N}_. -]*$/u;

/** The skills of a folder, by name. Throws `bad_skill` for an invalid one, and when the folder does not exist. */
export async function loadSkills(folder: string): Promise<readonly Skill[]> {
  const root = await realpath(folder).catch(() => {
    throw new CairnError("bad_skill", `The skills folder ${JSON.stringify(folder)} does not exist.`, { folder });
  });
  const skills = new Map<string, Skill>();
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const skill = await loadSkill(join(root, entry.name), entry.name);
    if (skill === null) continue;
    if (skills.has(skill.name)) throw badSkill(skill.name, "two folders have this name. Rename one of them.");
    skills.set(skill.name, skill);
  }
  return [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function loadSkill(folder: string, folderName: string): Promise<Skill | null> {
  const source = await readFile(join(folder, "SKILL.md"), "utf8").catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (source === null) return null;
  const { fields, body } = readFrontMatter(source);
  const name = fields.get("name") || folderName;
  if (!SKILL_NAME.test(name))
    throw badSkill(name, "a name may contain only letters, digits, `_`, `-`, dots and spaces.");
  const description = (fields.get("description") ?? "").replace(/\s+/g, " ").trim();
  if (description === "")
    throw badSkill(name, "its front matter has no `description`. Add one that says when to use the skill.");
  return { name, description, text: body, folder };
}

/** The text about skills in an agent's instructions; empty when it has none. */
export function describeSkills(skills: readonly Skill[]): string {
  if (skills.length === 0) return "";
  const lines = skills.map(({ name, description }) => `- sk:${name}: ${description}`);
  return `Skills. Read one with react.read before you do what it is for:\n${lines.join("\n")}`;
}

/** The text at `<name>` or `<name>/<file>`; null when there is none. Throws `unsafe_path`. */
export async function readSkill(skills: readonly Skill[], path: string): Promise<string | null> {
  const slash = path.indexOf("/");
  const skill = skills.find(({ name }) => name === (slash === -1 ? path : path.slice(0, slash)));
  if (skill === undefined) return null;
  if (slash === -1) return skill.text;
  const place = await placeIn(await realpath(skill.folder), checkFile(path.slice(slash + 1)));
  try {
    return decodeText(await readFile(place));
  } catch (error) {
    if (isMissing(error) || errorCode(error) === "EISDIR") return null;
    throw error;
  }
}

function badSkill(name: string, problem: string): CairnError {
  return new CairnError("bad_skill", `Skill ${JSON.stringify(name.slice(0, 100))}: ${problem}`, {
    skill: name.slice(0, 100),
  });
}
