/** Chooses the issue of a failed parse to report. In a union, the variant that parsed furthest counts as intended. */
import type { z } from "zod";

export function deepest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const [issue] = issues;
  if (issue === undefined) throw new Error("A failed parse has an issue.");
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return issue;
  const inner = issue.errors.filter((each) => each.length > 0).map(deepest);
  const best = inner.reduce((a, b) => (b.path.length > a.path.length ? b : a));
  return { ...best, path: [...issue.path, ...best.path] };
}
