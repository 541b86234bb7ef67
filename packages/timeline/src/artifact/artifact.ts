/**
 * Artifact discovery: finds the current content of a logical path, from the blocks alone.
 *
 * A path may be written several times; the latest version counts unless `@v<n>` names another. All blocks of a call at
 * one path are one version. The metadata of a version comes from the digest that names the path in the same call, from
 * the digest that a file block keeps, and from the block itself, in this order. Hidden blocks are found like visible
 * ones.
 */
import { type Digest, sourceIds } from "../block/digest.ts";
import { resolvePath } from "../path/resolve.ts";
import { splitVersion } from "../path/version.ts";
import { publicRow } from "../sources/public-row.ts";
import { selectSources } from "../sources/select.ts";
import type { Entry } from "../state/entry.ts";
import type { TimelineState } from "../state/state.ts";

export interface Artifact {
  readonly path: string;
  readonly mime: string | null;
  readonly kind: string | null;
  readonly visibility: string | null;
  readonly physical_path: string | null;
  readonly text?: string;
  readonly base64?: string;
  readonly sources_used: readonly number[];
  readonly version: number;
  readonly hidden: boolean;
}

/** The artifact at a path, in any accepted spelling; null when the window does not contain it. */
export function resolveArtifact(state: TimelineState, path: string): Artifact | null {
  const { path: base, version } = splitVersion(resolvePath(path).logical);
  const rows = base.startsWith("so:") && (version ?? 1) === 1 ? resolveSources(state, base) : null;
  if (rows !== null) return rows;
  const written = versionEntries(state.atPath(base), version);
  if (written.length > 0) return composeArtifact(state, base, written);
  if (version !== null) return null;
  // The path has no version in the window: `react.read` only showed it again, or only a digest describes it.
  const shown = state.atPath(base).at(-1);
  if (shown !== undefined) return composeArtifact(state, base, [shown]);
  const described = state.describedAt(base).at(-1);
  return described === undefined ? null : describeOnly(base, described);
}

/** The entries of one version, or of the latest. Versions ascend: the search stops at an earlier version. */
function versionEntries(atPath: readonly Entry[], version: number | null): readonly Entry[] {
  const found: Entry[] = [];
  let wanted = version;
  for (let i = version === null ? atPath.length - 1 : lastUpTo(atPath, version); i >= 0; i--) {
    const entry = atPath[i];
    if (entry === undefined || entry.version === 0) continue;
    wanted ??= entry.version;
    if (entry.version < wanted) break;
    if (entry.version === wanted) found.push(entry);
  }
  return found.reverse();
}

/** The last index whose version is at most `version`, by binary search. */
function lastUpTo(atPath: readonly Entry[], version: number): number {
  let low = 0;
  let high = atPath.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    let at = middle;
    // Skips entries without a version, which do not tell in which direction to search.
    while (at >= low && atPath[at]?.version === 0) at--;
    if (at < low || (atPath[at]?.version ?? 0) <= version) low = middle + 1;
    else high = at - 1;
  }
  return high;
}

function composeArtifact(state: TimelineState, path: string, entries: readonly Entry[]): Artifact | null {
  const last = entries.at(-1);
  if (last === undefined) return null;
  const content = contentOf(path, entries);
  const main = content.at(-1) ?? last;
  const digest = digestFor(state, path, entries);
  const base64 = content.find((entry) => entry.block.base64)?.block.base64;
  const texts = content.map(({ block, kind }) => kind.readText(block)).filter((text) => text !== undefined);
  const mime = digest.mime ?? (main.kind.attachment === "meta" ? null : main.block.mime);
  return {
    path,
    mime: mime ?? null,
    kind: digest.kind ?? null,
    visibility: digest.visibility ?? null,
    physical_path: resolvePath(path).physical,
    ...(base64 === undefined ? (texts.length === 0 ? {} : { text: texts.join("\n") }) : { base64 }),
    sources_used: digest.sources_used ?? sourceIds(main.block.meta?.sources_used),
    version: Math.max(1, last.version),
    hidden: main.overlay !== null,
  };
}

function describeOnly(path: string, entry: Entry): Artifact {
  const digest = entry.digest ?? entry.kind.file(entry.block);
  return {
    path,
    mime: digest.mime ?? null,
    kind: digest.kind ?? null,
    visibility: digest.visibility ?? null,
    physical_path: resolvePath(path).physical,
    sources_used: digest.sources_used ?? [],
    version: 1,
    hidden: entry.overlay !== null,
  };
}

/** The content that was written: the latest write of a file, or all parts of a result, such as an error and a value. */
function contentOf(path: string, entries: readonly Entry[]): readonly Entry[] {
  if (path.startsWith("fi:")) return entries.filter(({ kind }) => kind.attachment !== "meta").slice(-1);
  const content = entries.filter(({ digest }) => digest === null || digest.error !== undefined);
  return content.length > 0 ? content : entries;
}

/** The texts of an artifact, in order. There are several if a call left several results at its path. */
export function artifactTexts(state: TimelineState, { path, version }: Artifact): readonly string[] {
  const entries = versionEntries(state.atPath(path), version);
  return contentOf(path, entries).flatMap(({ block }) => block.text ?? []);
}

/** Metadata from the blocks. The digest of the same call overrides it; without one, the latest earlier digest does. */
function digestFor(state: TimelineState, path: string, entries: readonly Entry[]): Digest {
  let found: Digest = {};
  for (const { block, kind } of entries) found = { ...found, ...kind.file(block) };
  const last = entries.at(-1);
  const described = state.describedAt(path);
  let before: Entry | undefined;
  for (let i = described.length - 1; i >= 0; i--) {
    const entry = described[i];
    if (entry === undefined) continue;
    if (entry.call !== null && entry.call === last?.call) return { ...found, ...entry.digest };
    if (before === undefined && last !== undefined && last.call === null && entry.position < last.position)
      before = entry;
    if (last !== undefined && entry.position < (entries[0]?.position ?? 0) - NEAR) break;
  }
  return { ...found, ...before?.digest };
}

/** A digest is searched for in at most this many positions before its content. Blocks of a call are close together. */
const NEAR = 10_000;

/** Rows of the pool, without hosting fields. A row that the pool lacks is read from the search result itself. */
function resolveSources(state: TimelineState, path: string): Artifact | null {
  const { sids } = selectSources(state.pool, path);
  const found = sids.map((sid) => state.pool.get(sid)).filter((row) => row !== undefined);
  if (found.length === 0) return null;
  return {
    path,
    mime: "application/json",
    kind: null,
    visibility: null,
    physical_path: null,
    text: JSON.stringify(found.map(publicRow)),
    sources_used: found.map((row) => row.sid),
    version: 1,
    hidden: false,
  };
}
