/**
 * Paths: how everything on a timeline is addressed.
 *
 * A logical path names content for ever (`fi:turn_1.files/a.md`); a physical path is the location of a file, relative
 * to OUT_DIR (`turn_1/files/a.md`). Each of the two has its own type, so that one cannot be used as the other.
 */
import { formatRanges, type SidRange } from "./selector.ts";

declare const brand: unique symbol;

/** A canonical logical path. It is made by `formatPath`, `resolvePath` and `rewritePath` only. */
export type LogicalPath = string & { readonly [brand]: "LogicalPath" };

/** A safe path relative to OUT_DIR. It is made by `physicalOf`, `resolvePath` and `rewritePath` only. */
export type PhysicalPath = string & { readonly [brand]: "PhysicalPath" };

/** Which block of a call a `tc:` path names. */
export type CallPart = "call" | "result" | "notice";

interface Versioned {
  /** The version, from `@v<n>`; null means the latest. */
  readonly version: number | null;
}

/** A parsed path. `rel` and `name` are safe and normalised. */
export type ParsedPath = Versioned &
  (
    | { readonly kind: "artifact"; readonly turn: string; readonly name: string }
    | { readonly kind: "notes"; readonly turn: string; readonly call: string }
    | { readonly kind: "file"; readonly turn: string; readonly rel: string }
    | { readonly kind: "attachment"; readonly turn: string; readonly name: string }
    | { readonly kind: "code"; readonly turn: string; readonly call: string }
    | { readonly kind: "outdir"; readonly rel: string }
    | { readonly kind: "call"; readonly turn: string; readonly call: string; readonly part: CallPart }
    | { readonly kind: "sources"; readonly ranges: readonly SidRange[] }
    | { readonly kind: "summary"; readonly turn: string }
    | { readonly kind: "skill"; readonly name: string }
  );

/** The canonical spelling of a parsed path. `parsePath` reads it back to the same value. */
export function formatPath(parsed: ParsedPath): LogicalPath {
  const base = spell(parsed);
  return (parsed.version === null ? base : `${base}@v${parsed.version}`) as LogicalPath;
}

/** The location of a path's file; null for a path that is not a file, such as code. */
export function physicalOf(parsed: ParsedPath): PhysicalPath | null {
  switch (parsed.kind) {
    case "file":
      return `${parsed.turn}/files/${parsed.rel}` as PhysicalPath;
    case "attachment":
      return `${parsed.turn}/attachments/${parsed.name}` as PhysicalPath;
    case "outdir":
      return parsed.rel as PhysicalPath;
    default:
      return null;
  }
}

function spell(parsed: ParsedPath): string {
  switch (parsed.kind) {
    case "artifact":
      return `ar:${parsed.turn}.${parsed.name}`;
    case "notes":
      return `ar:${parsed.turn}.react.notes.${parsed.call}`;
    case "file":
      return `fi:${parsed.turn}.files/${parsed.rel}`;
    case "attachment":
      return `fi:${parsed.turn}.user.attachments/${parsed.name}`;
    case "code":
      return `fi:${parsed.turn}.code.${parsed.call}`;
    case "outdir":
      return `fi:${parsed.rel}`;
    case "call":
      return `tc:${parsed.turn}.${parsed.call}.${parsed.part}`;
    case "sources":
      return `so:sources_pool[${formatRanges(parsed.ranges)}]`;
    case "summary":
      return `su:${parsed.turn}.conv.range.summary`;
    case "skill":
      return `sk:${parsed.name}`;
  }
}
