/** Whether what stands at a path is internal, in the version that was found there. */
import type { Artifact } from "../artifact/artifact.ts";
import type { TimelineState } from "../state/state.ts";
import { isPublic } from "./public-block.ts";

export function isInternalArtifact(state: TimelineState, { path, version, visibility }: Artifact): boolean {
  if (visibility === "internal" && path.startsWith("fi:")) return true;
  const entries = state.atPath(path);
  const written = entries.filter((entry) => entry.version === version);
  // What was only shown again here, by `react.read`, has no version of its own.
  return (written.length > 0 ? written : entries).some(({ block }) => !isPublic(block));
}
