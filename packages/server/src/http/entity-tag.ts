/**
 * Whether a reader has what would be sent: `If-None-Match` names one tag or several, or any with `*`. Tags are compared
 * by what they name, weak or not: a proxy that squeezes an answer makes its tag a weak one.
 */
const TAG = /(?:W\/)?("[^"]*")/g;

export function hasTag(ifNoneMatch: string | null | undefined, tag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  for (const [, named] of ifNoneMatch.matchAll(TAG)) if (named === tag) return true;
  return false;
}
