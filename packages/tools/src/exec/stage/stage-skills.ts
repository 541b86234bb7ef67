/**
 * The files of skills in OUTPUT_DIR, below `skills/<name>/`: those of every skill whose name is in the code. These
 * files are copies that the program cannot change.
 */
import { join } from "node:path";
import { type Skill, skillFiles } from "@cairn/agent";
import type { Stage } from "./stage.ts";

/** Copies the files of the named skills to the stage. */
export async function stageSkills(stage: Stage, code: string, skills: readonly Skill[]): Promise<void> {
  for (const skill of skills) {
    if (!code.includes(skill.name)) continue;
    for (const { path } of await skillFiles(skill))
      await stage.copyIn(join("out/skills", skill.name, path), join(skill.folder, path));
  }
}
