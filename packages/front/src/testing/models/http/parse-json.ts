/**
 * Parses the JSON of a body as strictly as providers do: invalid UTF-8 and lone surrogates are not JSON for them. The
 * nesting depth is limited, because later code is recursive.
 */
import type { Json } from "@cairn/timeline";

const MAX_DEPTH = 200;

export type ParsedJson = { readonly value: Json } | { readonly problem: string };

export function parseBody(bytes: Uint8Array): ParsedJson {
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Json;
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const problem = findProblem(value);
  return problem === null ? { value } : { problem };
}

function findProblem(value: Json): string | null {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each === "string" && !each.isWellFormed()) return "no low surrogate in string";
      if (typeof each !== "object" || each === null) continue;
      for (const [key, content] of Object.entries(each)) {
        if (!key.isWellFormed()) return "no low surrogate in string";
        next.push(content);
      }
    }
    level = next;
  }
  return null;
}
