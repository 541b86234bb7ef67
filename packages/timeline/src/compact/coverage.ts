/**
 * The coverage check: everything that a compaction covers can still be found.
 *
 * A root is a covered block that carries content of its own: a message, a file, an attachment or a result. Each root
 * must be named in the digest of its range. The summary shows the digest, or returns it when its path is read.
 * `planCompaction` adds what this check finds missing, so the digest covers every kind of block by construction.
 */
import type { Entry } from "../state/entry.ts";
import type { OwnDigest } from "./digest/digest.ts";
import { pathOf } from "./digest-entries.ts";

/** The paths of roots that a digest does not name. */
export function uncoveredRoots(covered: readonly Entry[], digest: OwnDigest): string[] {
  const named = namedPaths(digest);
  const missing = new Set<string>();
  for (const entry of covered) {
    const path = pathOf(entry.block);
    if (path !== "" && !named.has(path) && entry.kind.isRoot(entry, path)) missing.add(path);
  }
  return [...missing];
}

function namedPaths(digest: OwnDigest): Set<string> {
  const named = new Set<string>([...digest.files, ...digest.exec_outputs]);
  for (const { prompts, completion } of digest.turns) {
    for (const path of prompts) named.add(path);
    if (completion !== null) named.add(completion);
  }
  for (const { path } of [...digest.artifacts, ...digest.results]) named.add(path);
  for (const { path, sources } of digest.searches) {
    named.add(path);
    if (sources !== null) named.add(sources);
  }
  return named;
}
