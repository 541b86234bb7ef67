/**
 * Names of open streams. A store keeps only the name and the text of a stream, so the name says everything else that a
 * follower needs: `<turn>.<iteration>.<id>.<kind>`. For the text of a call, the number of the call and the path of the
 * text follow, if known: `turn_1.2.tc_0a1b.write.0.shown:fi:turn_1.files/a.md`. The input of a call is followed by the
 * id of the call and its tool: `turn_1.2.tc_0a1b.input.0:tc_9f3e/shop.refund`.
 *
 * `shown` means that the text is for people. Earlier versions also streamed internal notes and did not mark them, so
 * their `write` streams are ignored.
 */
export type StreamKind = "say" | "thinking" | "write" | "code" | "input";

interface StreamFacts {
  readonly turnId: string;
  readonly kind: StreamKind;
  /** The path of the text; null if unknown. */
  readonly path: string | null;
  /** The call whose input is streamed. */
  readonly call?: StreamedCall;
}

export interface StreamedCall {
  readonly call_id: string;
  readonly tool_id: string;
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

export function nameInput(base: string, number: number, { call_id, tool_id }: StreamedCall): string {
  return nameStream(base, "input", { number, path: `${call_id}/${tool_id}` });
}

/** Parses a name; null for a stream that does not belong to a turn. */
export function readStreamName(name: string): StreamFacts | null {
  const [, turnId, kind, path] =
    /^([\w-]+)\.\d+\.[\w-]+\.(say|thinking|code|input(?=\.\d+:[^/]+\/)|write(?=\.\d+\.shown))(?:\.\d+(?:\.shown)?)?(?::([\s\S]*))?$/.exec(
      name,
    ) ?? [];
  if (turnId === undefined || !isKind(kind)) return null;
  if (kind !== "input") return { turnId, kind, path: path ?? null };
  const [call_id = "", tool_id = ""] = path?.split("/", 2) ?? [];
  return { turnId, kind, path: null, call: { call_id, tool_id } };
}

function isKind(kind: string | undefined): kind is StreamKind {
  return kind === "say" || kind === "thinking" || kind === "write" || kind === "code" || kind === "input";
}
