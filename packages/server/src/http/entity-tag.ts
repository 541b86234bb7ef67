/**
 * Whether the client already has the response: `If-None-Match` contains one or several tags, or `*`. Weak and strong
 * tags are equal here, because a proxy that compresses a response makes its tag weak.
 */
const TAG = /(?:W\/)?("[^"]*")/g;

export function hasTag(ifNoneMatch: string | null | undefined, tag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  for (const [, named] of ifNoneMatch.matchAll(TAG)) if (named === tag) return true;
  return false;
}
