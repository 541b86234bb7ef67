/**
 * Skills in the Agent Skills format: instructions that an agent reads when it needs them. A skill is a folder with a
 * `SKILL.md`. Its name and description are part of the agent's instructions. `react.read` reads its text at
 * `sk:<name>`, and its other files at `sk:<name>/<path>`.
 *
 * This file reads one skill and checks it against the rules of the format.
 */
import { readFile, stat } from "node:fs/promises";
import { CairnError } from "@cairn/timeline";
import { decodeText } from "../workspace/media.ts";
import { ifMissing } from "../workspace/missing-file.ts";
import { placeIn } from "../workspace/safe-path.ts";
import { readFrontMatter } from "./front-matter.ts";

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** The requirements of the skill, from its front matter. */
  readonly compatibility?: string;
  /** `SKILL.md` without its front matter. */
  readonly text: string;
  /** Absolute path of its folder, links resolved. */
  readonly folder: string;
}

const SKILL_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 64;
const MAX_DESCRIPTION_LENGTH = 1_024;
const MAX_COMPATIBILITY_LENGTH = 500;
const MAX_SKILL_BYTES = 1024 * 1024;

/** Reads a skill; null for a folder without `SKILL.md`. Throws `bad_skill` for a skill that breaks a rule. */
export async function readSkillFolder(folder: string, folderName: string): Promise<Skill | null> {
  const source = await readSource(folder);
  if (source === null) return null;
  const { fields, body } = readFrontMatter(source);
  if (fields.size === 0) throw badSkill("SKILL.md does not begin with front matter between two lines `---`.");
  const name = fields.get("name") || folderName;
  if (name !== folderName)
    throw badSkill(
      `its name is ${JSON.stringify(name.slice(0, 100))}, and its folder has another name. Use one name for both.`,
    );
  if (name.length > MAX_NAME_LENGTH || !SKILL_NAME.test(name))
    throw badSkill(
      `a name consists of at most ${MAX_NAME_LENGTH} lowercase letters (a-z), digits and single hyphens between them.`,
    );
  const description = oneLine(fields.get("description"));
  if (description === "")
    throw badSkill("its front matter has no `description`. Add one that says when to use the skill.");
  checkLength("description", description, MAX_DESCRIPTION_LENGTH);
  const compatibility = oneLine(fields.get("compatibility"));
  checkLength("compatibility", compatibility, MAX_COMPATIBILITY_LENGTH);
  return { name, description, ...(compatibility === "" ? {} : { compatibility }), text: body, folder };
}

async function readSource(folder: string): Promise<string | null> {
  const place = await placeIn(folder, "SKILL.md").catch((error: unknown) => {
    if (!CairnError.is(error)) throw error;
    throw badSkill("SKILL.md is a link that leads out of the folder, or nowhere.");
  });
  const found = await stat(place).catch(ifMissing(null));
  if (found === null) return null;
  if (!found.isFile()) throw badSkill("SKILL.md is not a file.");
  if (found.size > MAX_SKILL_BYTES) throw badSkill("SKILL.md is larger than 1 MB.");
  const source = decodeText(await readFile(place));
  if (source === null) throw badSkill("SKILL.md is not text.");
  return source;
}

function oneLine(value = ""): string {
  return value.replace(/\s+/g, " ").trim();
}

function checkLength(field: string, value: string, most: number): void {
  if (value.length > most)
    throw badSkill(`its \`${field}\` has ${value.length} characters; at most ${most} are allowed.`);
}

export function badSkill(problem: string): CairnError {
  return new CairnError("bad_skill", problem);
}

/** The text about skills in an agent's instructions; empty when the agent has no skills. */
export function describeSkills(skills: readonly Skill[]): string {
  if (skills.length === 0) return "";
  const lines = skills.map(({ name, description }) => `- sk:${name}: ${description}`);
  return `Skills. Read one with react.read before you do what it is for:\n${lines.join("\n")}`;
}
