/**
 * Names of open streams. The name contains everything a follower needs to know about a stream, because a store keeps
 * only its text: `<turn>.<iteration>.<id>.<kind>`, for the text of a call followed by the number of the call and, if
 * known, the path of the text: `turn_1.2.tc_0a1b.write.0.shown:fi:turn_1.files/a.md`.
 *
 * `shown` means that the text is for people. Earlier versions also streamed internal notes and did not mark them, so
 * their `write` streams are ignored.
 */
export type StreamKind = "say" | "thinking" | "write" | "code";

interface StreamFacts {
  readonly turnId: string;
  readonly kind: StreamKind;
  /** The path of the text; null if unknown. */
  readonly path: string | null;
}

/** Maximum length of a name in a store. */
const MAX_NAME_LENGTH = 512;

/** `base` is unique to the request. A path that would make the name too long is left out. */
export function nameStream(
  base: string,
  kind: StreamKind,
  call: { readonly number: number; readonly path: string | null } | null,
): string {
  if (call === null) return `${base}.${kind}`;
  const name = `${base}.${kind}.${call.number}${kind === "write" ? ".shown" : ""}`;
  const whole = call.path === null ? name : `${name}:${call.path.toWellFormed()}`;
  return Buffer.byteLength(whole) <= MAX_NAME_LENGTH ? whole : name;
}

/** Parses a name; null for a stream that does not belong to a turn. */
export function readStreamName(name: string): StreamFacts | null {
  const [, turnId, kind, path] =
    /^([\w-]+)\.\d+\.[\w-]+\.(say|thinking|code|write(?=\.\d+\.shown))(?:\.\d+(?:\.shown)?)?(?::([\s\S]*))?$/.exec(
      name,
    ) ?? [];
  if (turnId === undefined || !isKind(kind)) return null;
  return { turnId, kind, path: path ?? null };
}

function isKind(kind: string | undefined): kind is StreamKind {
  return kind === "say" || kind === "thinking" || kind === "write" || kind === "code";
}
