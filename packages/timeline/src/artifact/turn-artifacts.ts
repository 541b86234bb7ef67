/**
 * A turn as the user sees it, rebuilt from blocks: the question and its attachments, the answer, the files made, the
 * sources the answer cites, and suggested follow-ups. Internal files are left out.
 */
import { sourceIds } from "../block/digest.ts";
import { extractCitations } from "../citation/extract-citations.ts";
import { canonicalPath } from "../path/resolve.ts";
import { publicRow } from "../sources/public-row.ts";
import type { SourceRow } from "../sources/row.ts";
import type { TimelineState } from "../state/state.ts";
import { type Artifact, resolveArtifact } from "./artifact.ts";
import { isInternalArtifact } from "./internal-artifact.ts";

export interface TurnArtifacts {
  readonly turn_id: string;
  readonly prompt: Artifact | null;
  readonly completion: Artifact | null;
  readonly attachments: readonly Artifact[];
  readonly files: readonly Artifact[];
  /** Rows of the pool in the order the answer first cites them. */
  readonly citations: readonly SourceRow[];
  readonly followups: readonly string[];
}

/** Returns null when the window contains no block of the turn. */
export function turnArtifacts(state: TimelineState, turnId: string): TurnArtifacts | null {
  const paths = new Set<string>();
  const followups: string[] = [];
  let known = false;
  for (const entry of state.turnEntries(turnId)) {
    known = true;
    // A path from a hostile or broken writer that cannot be parsed is skipped.
    const path = entry.block.path === undefined ? null : canonicalPath(entry.block.path);
    if (path !== null) paths.add(path);
    if (entry.describes !== null) paths.add(entry.describes);
    followups.push(...entry.kind.followups(entry.block));
  }
  if (!known) return null;
  const under = (prefix: string) =>
    [...paths]
      .filter((path) => path.startsWith(prefix))
      .map((path) => resolveArtifact(state, path))
      .filter((found) => found !== null);
  // A turn id may contain characters that no path allows. Nothing can be stored at a path with this id.
  const named = (path: string) => (canonicalPath(path) === null ? null : resolveArtifact(state, path));
  const completion = named(`ar:${turnId}.assistant.completion`);
  return {
    turn_id: turnId,
    prompt: named(`ar:${turnId}.user.prompt`),
    completion,
    attachments: under(`fi:${turnId}.user.attachments/`),
    files: under(`fi:${turnId}.files/`).filter((found) => !isInternalArtifact(state, found)),
    citations: citedRows(state, completion),
    followups,
  };
}

function citedRows(state: TimelineState, completion: Artifact | null): SourceRow[] {
  if (completion === null) return [];
  const known = state.atPath(completion.path).at(-1)?.sourcesKnown ?? Number.POSITIVE_INFINITY;
  const sids = new Set([...extractCitations(completion.text ?? "", "markdown"), ...sourceIds(completion.sources_used)]);
  return [...sids]
    .filter((sid) => sid <= known)
    .map((sid) => state.pool.get(sid))
    .filter((row) => row !== undefined)
    .map(publicRow);
}
