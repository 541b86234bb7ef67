/**
 * Finds the skills of one or more folders. Skills are loaded once and sorted by name over all folders. So the
 * instructions of an agent, with which every cached request begins, stay the same.
 */
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { CairnError, errorCode } from "@cairn/timeline";
import { ifMissing, isMissing } from "../workspace/missing-file.ts";
import { badSkill, readSkillFolder, type Skill } from "./skill.ts";
import { checkSkillSize } from "./skill-files.ts";

/** A folder whose subfolders are skills. */
export interface SkillFolder {
  readonly path: string;
  /** Whether the folder may be missing. */
  readonly isOptional?: boolean;
}

/**
 * If two folders have a skill of the same name, the first folder in the list wins. A skill that breaks a rule is
 * skipped: `warn` gets a sentence about it (default: a warning of the process). Throws `bad_skill` for a folder that
 * cannot be read and is not optional.
 */
export async function loadSkills(
  folders: string | readonly SkillFolder[],
  warn: (problem: string) => void = (problem) => process.emitWarning(problem),
): Promise<readonly Skill[]> {
  const skills = new Map<string, Skill>();
  for (const folder of typeof folders === "string" ? [{ path: folders }] : folders)
    for (const skill of await skillsIn(folder, warn)) if (!skills.has(skill.name)) skills.set(skill.name, skill);
  return [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function skillsIn(
  { path, isOptional = false }: SkillFolder,
  warn: (problem: string) => void,
): Promise<readonly Skill[]> {
  let names: string[];
  try {
    names = (await readdir(path)).sort();
  } catch (error) {
    if (isOptional && isMissing(error)) return [];
    const why = isMissing(error) ? "does not exist" : `cannot be read (${errorCode(error)})`;
    const problem = `The skills folder ${JSON.stringify(path)} ${why}.`;
    if (!isOptional) throw badSkill(problem);
    warn(problem);
    return [];
  }
  const skills: Skill[] = [];
  for (const name of names) {
    try {
      const skill = await loadSkill(join(path, name), name);
      if (skill !== null) skills.push(skill);
    } catch (error) {
      const why = CairnError.is(error) ? error.message : `it cannot be read (${errorCode(error)}).`;
      warn(`The skill in ${JSON.stringify(join(path, name))} is skipped: ${why}`);
    }
  }
  return skills;
}

/** Loads a skill; null for an entry that is not a folder with `SKILL.md`. */
async function loadSkill(path: string, name: string): Promise<Skill | null> {
  const folder = await realpath(path).catch(ifMissing(null));
  const skill = folder === null ? null : await readSkillFolder(folder, name);
  if (skill !== null) await checkSkillSize(skill);
  return skill;
}
