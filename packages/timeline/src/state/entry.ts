/**
 * An entry: one block of the window with everything that is computed for it once and kept. The block itself is never
 * changed; its overlay and its clip are the only fields that move, and with them what the model sees.
 */
import { type Block, internType } from "../block/block.ts";
import { callIdOf } from "../block/call.ts";
import { type Clip, withClip } from "../block/clip.ts";
import { attachmentDigest, type Digest, resultDigest } from "../block/digest.ts";
import { type Overlay, withOverlay } from "../block/overlay.ts";
import { type JsonObject, parseJsonObject } from "../json.ts";
import { canonicalPath } from "../path/resolve.ts";
import type { MessageBlock } from "../render/message.ts";
import type { Call, CallBlock } from "./call.ts";

export class Entry {
  readonly position: number;
  readonly block: Block;
  readonly type: Block["type"];
  readonly callId: string | null;
  /** The call the block belongs to; set once, by the state. */
  call: Call | null = null;
  /** The block's path in its canonical spelling, or as it is when it is no path; null without one. */
  readonly path: string | null;
  /** Number of the write to the block's path, from 1; 0 when the block is no version of it. Set once, by the state. */
  version: number;
  /** The highest SID its text can cite (`citation/known-sources.ts`); infinite where nobody knows. Set once, by the state. */
  sourcesKnown = Number.POSITIVE_INFINITY;
  /** Tokens of the block as the model sees it without an overlay or a clip; null until somebody counts. */
  tokens: number | null;
  /** Tokens of what the model sees under the present overlay or clip; null until somebody counts. */
  coveredTokens: number | null = null;
  /** The view; a single message, as most are, without a list around it: there is one for every block. */
  #view: MessageBlock | readonly MessageBlock[] | null = null;

  /** The block that made the call, as far as it was there when this one came. */
  #caller: CallBlock | null = null;
  #overlay: Overlay | null = null;
  #clip: Clip | null = null;
  #payload: Block | null = null;
  #json: JsonObject | null | undefined = undefined;
  #digest: Digest | null | undefined = undefined;

  constructor(position: number, block: Block, version: number, tokens: number | null) {
    this.position = position;
    this.block = block;
    this.type = internType(block.type);
    this.callId = callIdOf(block);
    this.path = block.path === undefined ? null : (canonicalPath(block.path) ?? block.path);
    this.version = version;
    this.tokens = tokens;
  }

  /** Makes the entry part of a call. What is known of the call now is all this entry will ever know of it. */
  join(call: Call): void {
    this.call = call;
    this.#caller = call.block;
    if (this.type === "react.tool.call") call.block = this;
  }

  /** The tool the block's call went to; null when the call stands nowhere before it. */
  get tool(): string | null {
    const tool = (this.type === "react.tool.call" ? this : this.#caller)?.json?.tool_id;
    return typeof tool === "string" && tool !== "" ? tool : null;
  }

  /** What the model sees for this entry; null until it is rendered, and again when the overlay changes. */
  get view(): readonly MessageBlock[] | null {
    const view = this.#view;
    return view === null || isList(view) ? view : [view];
  }

  set view(messages: readonly MessageBlock[] | null) {
    this.#view = messages?.length === 1 ? (messages[0] ?? null) : messages;
  }

  get overlay(): Overlay | null {
    return this.#overlay;
  }

  /** How much of the block is shown; null when all of it is, or when an overlay covers it. */
  get clip(): Clip | null {
    return this.#clip;
  }

  /** Whether the model sees the block as it is stored. */
  get isWhole(): boolean {
    return this.#overlay === null && this.#clip === null;
  }

  /**
   * Covers the block, and ends its clip. `asRead` is the block as a payload already spelled it, kept so that it is
   * written back alike.
   */
  cover(overlay: Overlay | null, asRead: Block | null = null): void {
    this.#overlay = overlay;
    this.#clip = null;
    this.#changed(asRead);
  }

  /** Shows the beginning of the block only. Does nothing to a covered block, which shows less already. */
  clipTo(clip: Clip, asRead: Block | null = null): void {
    if (this.#overlay !== null) return;
    this.#clip = clip;
    this.#changed(asRead);
  }

  #changed(asRead: Block | null): void {
    this.#payload = asRead;
    this.view = null;
    this.coveredTokens = null;
  }

  /** The block as a payload shows it. */
  get payload(): Block {
    if (this.#overlay !== null) this.#payload ??= withOverlay(this.block, this.#overlay);
    else if (this.#clip !== null) this.#payload ??= withClip(this.block, this.#clip);
    else return this.block;
    return this.#payload;
  }

  /** The JSON object the block's text spells, or null. */
  get json(): JsonObject | null {
    if (this.#json === undefined) this.#json = parseJsonObject(this.block.text);
    return this.#json;
  }

  /** The canonical path of the artifact this block describes without standing there itself; null when it is no such. */
  get describes(): string | null {
    const path =
      this.type === "user.attachment.meta" && this.path === null
        ? attachmentDigest(this.block).artifact_path
        : this.digest?.artifact_path;
    return path === undefined || path === this.path ? null : (canonicalPath(path) ?? path);
  }

  /** The digest this block is, when it is a tool result that describes an artifact or an error. */
  get digest(): Digest | null {
    if (this.#digest === undefined) this.#digest = this.type === "react.tool.result" ? resultDigest(this.block) : null;
    return this.#digest;
  }
}

function isList(view: MessageBlock | readonly MessageBlock[]): view is readonly MessageBlock[] {
  return Array.isArray(view);
}
