/**
 * Names of open streams. Everything a follower has to know about a stream stands in its name, since its text is all a
 * store keeps beside it: `<turn>.<iteration>.<id>.<kind>`, for a call's text with the number of the call behind it and,
 * where it is known, the path the text goes to: `turn_1.2.tc_0a1b.write.0:fi:turn_1.files/a.md`.
 */
export type StreamKind = "say" | "thinking" | "write" | "code";

export interface StreamFacts {
  readonly turnId: string;
  readonly kind: StreamKind;
  /** Where the text goes; null when that is not known. */
  readonly path: string | null;
}

/** What a store takes as a name. */
const LONGEST_NAME = 512;

/** `base` is unique to the request; a path that makes the name too long is left out of it. */
export function nameStream(
  base: string,
  kind: StreamKind,
  call: { readonly number: number; readonly path: string | null } | null,
): string {
  if (call === null) return `${base}.${kind}`;
  const name = `${base}.${kind}.${call.number}`;
  const whole = call.path === null ? name : `${name}:${call.path.toWellFormed()}`;
  return Buffer.byteLength(whole) <= LONGEST_NAME ? whole : name;
}

/** What a name tells; null for a stream that is not of a turn. */
export function readStreamName(name: string): StreamFacts | null {
  const [, turnId, kind, path] =
    /^([\w-]+)\.\d+\.[\w-]+\.(say|thinking|write|code)(?:\.\d+)?(?::([\s\S]*))?$/.exec(name) ?? [];
  if (turnId === undefined || !isKind(kind)) return null;
  return { turnId, kind, path: path ?? null };
}

function isKind(kind: string | undefined): kind is StreamKind {
  return kind === "say" || kind === "thinking" || kind === "write" || kind === "code";
}
