/**
 * References in parameters: a string that is exactly `ref:<logical path>` is replaced by the content at that path.
 *
 * Only content in view can be referenced, so that a model never sends content that it has not seen. The inserted
 * content is not searched for further references. All inserted content has at most `MAX_CHARS` characters, because many
 * references could otherwise request gigabytes.
 */
import { type Artifact, CairnError } from "@cairn/timeline";
import type { ResolvedArtifact } from "./tool.ts";

export interface RefLookup {
  /** The artifact at a path, if its content is in view. */
  readonly visible: (path: string) => ResolvedArtifact | null;
  /** Reads the whole text of an artifact; null when it is not text. */
  readonly readText: (artifact: Artifact) => Promise<string | null>;
}

export type BoundParams =
  /** `internal`: the first reference to internal content, or null. */
  | { readonly ok: true; readonly params: unknown; readonly internal: string | null; readonly refs: BoundRefs }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly path: string };

/** The values that were put in place of references, by reference. */
export type BoundRefs = ReadonlyMap<string, RefContent>;

interface RefContent {
  readonly text: string;
  readonly isInternal: boolean;
}

export const REF_PREFIX = "ref:";
const MAX_CHARS = 16 * 1024 * 1024;
const MAX_DEPTH = 200;

export function isRef(value: unknown): value is `ref:${string}` {
  return typeof value === "string" && value.startsWith(REF_PREFIX);
}

/**
 * Binds every reference in the parameters. Parameters without references are returned unchanged. The references in
 * `known` were bound before and are not read again.
 */
export async function bindRefs(params: unknown, lookup: RefLookup, known: BoundRefs = new Map()): Promise<BoundParams> {
  const found = findRefs(params);
  if (found === null)
    return {
      ok: false,
      code: "bad_params",
      message: `The parameters are nested more than ${MAX_DEPTH} deep.`,
      path: "",
    };
  if (found.size === 0) return { ok: true, params, internal: null, refs: known };
  const refs = new Map<string, RefContent>();
  let internal: string | null = null;
  let chars = 0;
  for (const [ref, times] of found) {
    const path = ref.slice(REF_PREFIX.length).trim();
    const read = known.get(ref) ?? (await readRef(path, lookup));
    if ("ok" in read) return read;
    if (read.isInternal) internal ??= path;
    chars += read.text.length * times;
    if (chars > MAX_CHARS)
      return refusal(
        "param_ref_too_large",
        path,
        "Together with the other references, its text is too large to be put into the parameters.",
      );
    refs.set(ref, read);
  }
  const texts = new Map([...refs].map(([ref, { text }]) => [ref, text]));
  return { ok: true, params: replaceTexts(params, texts), internal, refs };
}

/** Replaces the content that was inserted for a reference by the reference again. */
export function restoreRefs(params: unknown, refs: BoundRefs): unknown {
  return refs.size === 0 ? params : replaceTexts(params, new Map([...refs].map(([ref, { text }]) => [text, ref])));
}

type ReadRef = RefContent | Extract<BoundParams, { ok: false }>;

async function readRef(path: string, lookup: RefLookup): Promise<ReadRef> {
  let artifact: ResolvedArtifact | null;
  try {
    artifact = lookup.visible(path);
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return refusal("protocol_violation.param_ref_not_visible", path, error.message);
  }
  if (artifact === null)
    return refusal(
      "protocol_violation.param_ref_not_visible",
      path,
      "Its content is not in view. Bring it into view with react.read, or write it.",
    );
  const text = await lookup.readText(artifact);
  if (text === null)
    return refusal("param_ref_not_text", path, "Its content is not text, and only text can be put into parameters.");
  return { text, isInternal: artifact.internal === true };
}

function refusal(code: string, path: string, why: string) {
  const shown = path.slice(0, 200);
  return { ok: false as const, code, message: `ref:${shown} cannot be bound. ${why}`, path: shown };
}

/** How often the value contains each reference; null when the value is nested too deeply. */
function findRefs(value: unknown): Map<string, number> | null {
  const found = new Map<string, number>();
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return null;
    const next: unknown[] = [];
    for (const each of level) {
      if (isRef(each)) found.set(each, (found.get(each) ?? 0) + 1);
      else if (typeof each === "object" && each !== null) for (const content of Object.values(each)) next.push(content);
    }
    level = next;
  }
  return found;
}

function replaceTexts(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return texts.get(value) ?? value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, texts));
  // `Object.fromEntries` creates own properties for any name, even `__proto__`.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceTexts(item, texts)]));
}
