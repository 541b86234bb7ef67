/** Whether the artifact at a path is internal, in the version that was found. */
import type { TimelineState } from "../state/state.ts";
import { isPublic } from "../visibility/public-block.ts";
import type { Artifact } from "./artifact.ts";

export function isInternalArtifact(state: TimelineState, { path, version, visibility }: Artifact): boolean {
  if (visibility === "internal" && path.startsWith("fi:")) return true;
  const entries = state.atPath(path);
  const written = entries.filter((entry) => entry.version === version);
  // Only written entries are judged, if there are any: content that `react.read` shows again has no version.
  return (written.length > 0 ? written : entries).some(({ block }) => !isPublic(block));
}
