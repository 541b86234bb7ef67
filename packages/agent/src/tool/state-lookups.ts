/**
 * Queries of tools about a timeline: the content at a path and how it is hosted, what is in view, plans and files.
 *
 * A block of the window without an overlay is in view. Of a clipped block, only the path is in view and not the
 * content. A patched file is shown as a diff, so it can be referenced although its text is not in view.
 */
import {
  type Artifact,
  artifactTexts,
  type BlobRef,
  blobOf,
  canonicalPath,
  composeWorkspaceTimeline,
  findActivePlan,
  isInternalArtifact,
  isJsonObject,
  type JsonObject,
  type PlanSnapshot,
  parsePath,
  parsePlan,
  resolveArtifact,
  resolvePath,
  standingOrders,
  type TimelineState,
  withoutReasoning,
} from "@cairn/timeline";
import { sourcesSeen } from "./sources-seen.ts";
import type { ResolvedArtifact, ToolContext } from "./tool.ts";

export type StateLookups = Pick<
  ToolContext,
  "isVisible" | "visible" | "plan" | "standingOrders" | "files" | "source" | "sourcesAtStart" | "workspaceTimeline"
>;

export function stateLookups(state: TimelineState): StateLookups {
  return {
    isVisible: (path, content) => isVisible(state, path, content),
    visible: (path) => findVisible(state, path),
    plan: (id) => findPlan(state, id),
    standingOrders: () => standingOrders(state),
    files: () => listFiles(state),
    source: (sid) => state.pool.get(sid),
    sourcesAtStart: sourcesSeen(state.pool),
    workspaceTimeline: () => composeWorkspaceTimeline(state),
  };
}

export function resolveWithMeta(state: TimelineState, path: string): ResolvedArtifact | null {
  const artifact = resolveArtifact(state, path);
  if (artifact === null) return null;
  const written = state.atPath(artifact.path).filter((entry) => entry.version === artifact.version);
  const holder = written.findLast((entry) => entry.block.meta?.digest !== undefined) ?? written.at(-1);
  const texts = artifactTexts(state, artifact);
  const meta = holder === undefined ? undefined : withoutReasoning(holder.block).meta;
  return { ...withInternal(state, artifact), texts, ...(meta === undefined ? {} : { meta }) };
}

function withInternal(state: TimelineState, artifact: Artifact): ResolvedArtifact {
  return isInternalArtifact(state, artifact) ? { ...artifact, internal: true } : artifact;
}

function isVisible(state: TimelineState, path: string, content: string | { readonly blob: BlobRef }): boolean {
  return state.atPath(canonicalPath(path) ?? path).some(({ block, isWhole, traits }) => {
    const same = typeof content === "string" ? block.text === content : blobOf(block) === content.blob;
    if (!same || !isWhole) return false;
    // The view shows only the diff of a patched file.
    return !block.path?.startsWith("fi:") || traits.files !== "patched";
  });
}

function findVisible(state: TimelineState, path: string): ResolvedArtifact | null {
  const artifact = resolveArtifact(state, path);
  if (artifact === null || artifact.path.startsWith("so:")) return artifact;
  const { version } = parsePath(path);
  const { logical } = resolvePath(path);
  const shown =
    state
      .atPath(artifact.path)
      .some((entry) => entry.overlay === null && (version === null || entry.version === version)) ||
    // A version that was read again is stored at the path that names the version.
    state.atPath(logical).some((entry) => entry.overlay === null);
  return shown ? { ...withInternal(state, artifact), path: logical } : null;
}

function findPlan(state: TimelineState, id?: string): PlanSnapshot | null {
  if (id === undefined) return findActivePlan(state);
  for (const entry of [...state.planEntries].reverse()) {
    for (const candidate of entry.kind.plans?.(entry) ?? []) {
      const plan = parsePlan(candidate);
      if (plan?.plan_id === id) return plan;
    }
  }
  return null;
}

function listFiles(state: TimelineState): string[] {
  const files = new Set<string>();
  const add = (path: unknown) => {
    if (typeof path !== "string" || !path.startsWith("fi:")) return;
    const canonical = canonicalPath(path);
    const physical = canonical === null ? null : resolvePath(canonical).physical;
    if (physical !== null) files.add(physical);
  };
  for (const { block, digest } of state.window) {
    add(block.path);
    add(digest?.artifact_path);
    const { artifacts } = summaryDigest(block.meta);
    if (Array.isArray(artifacts)) for (const artifact of artifacts) add((artifact as JsonObject | null)?.path);
  }
  return [...files];
}

function summaryDigest(meta: JsonObject | undefined): JsonObject {
  const digest = meta?.compaction_digest;
  return isJsonObject(digest) ? digest : {};
}
