/** An entry: one block of the window with what is computed for it once. Only its overlay and its clip change. */
import { type JsonObject, parseJsonObject } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { callIdIn } from "../block/call.ts";
import { type Clip, withClip } from "../block/clip.ts";
import type { Digest } from "../block/digest.ts";
import { type Overlay, withOverlay } from "../block/overlay.ts";
import type { BlockKind } from "../kind/block-kind.ts";
import { kindOf } from "../kind/kinds.ts";
import type { MessageBlock } from "../message/message.ts";
import { canonicalPath } from "../path/resolve.ts";
import { traitsOf } from "../tool/named-tools.ts";
import { NO_TRAITS, type ToolTraits } from "../tool/tool-traits.ts";
import type { Call, CallBlock } from "./call.ts";

export class Entry {
  readonly position: number;
  readonly block: Block;
  readonly kind: BlockKind;
  readonly callId: string | null;
  /** The call the block belongs to; set once, by the state. */
  call: Call | null = null;
  /** The block's path in canonical form, or unchanged when it is not a valid path; null without one. */
  readonly path: string | null;
  /** The number of this block among the writes to its path, from 1; 0 if it is not a write. The state sets it once. */
  version: number;
  /** The highest SID that its text can cite; infinite if unknown. The state sets it once. */
  sourcesKnown = Number.POSITIVE_INFINITY;
  /** Tokens of the block without an overlay or a clip; null until counted. */
  tokens: number | null;
  /** Tokens of the view under the current overlay or clip; null until counted. */
  coveredTokens: number | null = null;
  /** The cached view. A single message, the common case, is stored without a list. */
  #view: MessageBlock | readonly MessageBlock[] | null = null;

  /** The block that made the call, if it existed when this block was added. */
  #caller: CallBlock | null = null;
  #overlay: Overlay | null = null;
  #clip: Clip | null = null;
  #payload: Block | null = null;
  #json: JsonObject | null | undefined = undefined;
  #digest: Digest | null | undefined = undefined;

  constructor(position: number, block: Block, version: number, tokens: number | null) {
    this.position = position;
    this.block = block;
    this.kind = kindOf(block.type);
    this.callId = callIdIn(block, this.kind.namesCall);
    this.path = block.path === undefined ? null : (canonicalPath(block.path) ?? block.path);
    this.version = version;
    this.tokens = tokens;
  }

  /** Makes the entry part of a call. A call block that is added later changes neither its tool nor its traits. */
  join(call: Call): void {
    this.call = call;
    this.#caller = call.block;
    if (this.kind.role === "call") call.block = this;
  }

  /** The tool of the block's call; null when the block that made the call is not before it. */
  get tool(): string | null {
    const tool = (this.kind.role === "call" ? this : this.#caller)?.json?.tool_id;
    return typeof tool === "string" && tool !== "" ? tool : null;
  }

  /** The traits of the tool; none when the block that made the call is not before this block. */
  get traits(): ToolTraits {
    const caller = this.kind.role === "call" ? this : this.#caller;
    return caller === null ? NO_TRAITS : traitsOf(caller.block.meta, caller.json?.tool_id);
  }

  /** The view of this entry; null until it is rendered, and after the overlay changes. */
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

  /** How much of the block is shown; null when all of it is shown, or an overlay covers it. */
  get clip(): Clip | null {
    return this.#clip;
  }

  /** Whether the model sees the block unchanged. */
  get isWhole(): boolean {
    return this.#overlay === null && this.#clip === null;
  }

  /** Covers the block and ends its clip. `asRead`: the block as its payload had it, to be written back unchanged. */
  cover(overlay: Overlay | null, asRead: Block | null = null): void {
    this.#overlay = overlay;
    this.#clip = null;
    this.#changed(asRead);
  }

  /** Shows only the beginning of the block. Has no effect on a covered block, which already shows less. */
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

  get payload(): Block {
    if (this.#overlay !== null) this.#payload ??= withOverlay(this.block, this.#overlay);
    else if (this.#clip !== null) this.#payload ??= withClip(this.block, this.#clip);
    else return this.block;
    return this.#payload;
  }

  get json(): JsonObject | null {
    if (this.#json === undefined) this.#json = parseJsonObject(this.block.text);
    return this.#json;
  }

  /** The canonical path of the artifact that this block describes but does not contain; null if it describes none. */
  get describes(): string | null {
    const described = this.kind.attachment === "meta" && this.path === null ? this.kind.file(this.block) : this.digest;
    const path = described?.artifact_path;
    return path === undefined || path === this.path ? null : (canonicalPath(path) ?? path);
  }

  /** The artifact or error that the block reports. */
  get digest(): Digest | null {
    if (this.#digest === undefined) this.#digest = this.kind.report(this.block);
    return this.#digest;
  }
}

function isList(view: MessageBlock | readonly MessageBlock[]): view is readonly MessageBlock[] {
  return Array.isArray(view);
}
