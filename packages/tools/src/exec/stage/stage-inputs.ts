/**
 * The files in OUTPUT_DIR: the timeline as `timeline.json`, the files and attachments of the current turn, and the
 * files of every turn that the code names. The files are pulled from the store if the workspace lacks them. `fetch_ctx`
 * provides all other files.
 */
import { join } from "node:path";
import type { ToolContext } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type { Stage } from "./stage.ts";

const MAX_FILES = 2_000;

export async function stageInputs(stage: Stage, code: string, context: ToolContext): Promise<void> {
  const { workspace, turnId, signal } = context;
  const timeline = JSON.stringify(context.workspaceTimeline());
  await workspace.write("timeline.json", timeline);
  await stage.write("out/timeline.json", timeline);
  const turns = new Set([turnId, ...(code.match(/\bturn_[A-Za-z0-9_-]+/g) ?? [])]);
  const told = context.files().filter((path) => turns.has(path.slice(0, path.indexOf("/"))));
  const lying = await workspace.list(`${turnId}/files`, MAX_FILES);
  for (const path of [...new Set([...lying, ...told])].slice(0, MAX_FILES)) {
    signal.throwIfAborted();
    await stageFile(stage, path, context);
  }
}

/** Copies a file of the workspace to the stage; returns false when it does not exist or cannot be read. */
export async function stageFile(
  stage: Stage,
  path: string,
  { workspace, signal }: Pick<ToolContext, "workspace" | "signal">,
): Promise<boolean> {
  try {
    if (!(await workspace.pull(path, { signal }))) return false;
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return false; // The path is a link that leaves the workspace, or a folder. Programs do not get either.
  }
  await stage.copyIn(join("out", path), join(workspace.root, path));
  return true;
}
