/** The tools that every agent has: reading, writing and searching its own timeline. */
import type { Skill } from "../skill/skill.ts";
import type { AnyTool } from "../tool/tool.ts";
import { hideTool } from "./hide.ts";
import { memsearchTool } from "./memsearch.ts";
import { noteTool } from "./note.ts";
import { patchTool } from "./patch.ts";
import { planTool } from "./plan.ts";
import { createReadTool, type FollowLink } from "./read.ts";
import { searchFilesTool } from "./search-files.ts";
import { writeTool } from "./write.ts";

/** `follow`: reads sources whose content is not stored here, such as links in the result of an MCP tool. */
export function reactTools(skills: readonly Skill[] = [], follow?: FollowLink): readonly AnyTool[] {
  const readTool = createReadTool(skills, follow);
  return [hideTool, memsearchTool, noteTool, patchTool, planTool, readTool, searchFilesTool, writeTool];
}
