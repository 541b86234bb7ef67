/**
 * Files that a call of the current decision makes internal. Calls of one decision run at the same time. A file may have
 * its internal text before the timeline has its block, and no other call may show the file in this time.
 */
import { resolvePath } from "@cairn/timeline";
import type { ResolvedArtifact } from "../tool/tool.ts";
import type { Workspace } from "../workspace/workspace.ts";

const announced = new WeakMap<Workspace, Set<string>>();

/** Treats the file as internal until `endInternal` is called for it. */
export function announceInternal(workspace: Workspace, physical: string): void {
  const paths = announced.get(workspace) ?? new Set();
  announced.set(workspace, paths.add(physical));
}

/** Removes the temporary mark, because the block of the file now says whether the file is internal. */
export function endInternal(workspace: Workspace, physical: string): void {
  announced.get(workspace)?.delete(physical);
}

/** Marks an artifact as internal if an internal text is being written at its path. */
export function withAnnounced(workspace: Workspace, artifact: ResolvedArtifact): ResolvedArtifact {
  const physical = artifact.path.startsWith("fi:") ? resolvePath(artifact.path).physical : null;
  const isAnnounced = physical !== null && announced.get(workspace)?.has(physical) === true;
  return isAnnounced ? { ...artifact, internal: true, visibility: "internal" } : artifact;
}
