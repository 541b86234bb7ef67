/**
 * A block kind: everything the engine knows about one block type. Each type has a file in this folder, which states only
 * how the type differs from `DEFAULTS`; `kinds.ts` lists them. Rendering, views, search, pruning, clipping and
 * compaction read these fields and never compare names of types.
 *
 * The defaults describe a block of an unknown type: the model sees it as plain text, people do not see it, and the
 * digest of a compaction lists its path.
 */
import type { JsonObject } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { type Digest, fileDigest } from "../block/digest.ts";
import type { Directive } from "../directive/directives.ts";
import type { EscapeRules } from "../message/escape-rules.ts";
import type { MessageBlock } from "../message/message.ts";
import type { PlanSnapshot } from "../plan/plan.ts";
import type { ToolTraits } from "../tool/tool-traits.ts";
import type { TurnView } from "../view/turn/turn-view.ts";
import { isStatedInternal } from "../visibility/rules/internal.ts";
import { viewWithBinary } from "./view-text.ts";

/** A call, by its turn and its id. All blocks of a call share one object. */
export interface PlacedCall {
  readonly turn: string;
  readonly id: string;
}

/** A block in a conversation, with what the state has computed for it (`state/entry.ts`). */
export interface PlacedBlock {
  readonly block: Block;
  readonly kind: BlockKind;
  readonly callId: string | null;
  readonly call: PlacedCall | null;
  /** The tool of the call; null if unknown. */
  readonly tool: string | null;
  readonly traits: ToolTraits;
  /** The block's path, in canonical form if it is valid. */
  readonly path: string | null;
  readonly version: number;
  readonly json: JsonObject | null;
  /** The report in the block (`BlockKind.report`). */
  readonly digest: Digest | null;
  /** The path of an artifact that the block describes but does not contain. */
  readonly describes: string | null;
  readonly sourcesKnown: number;
}

/** Collects what a compaction keeps of the blocks it covers (`compact/digest-entries.ts`). */
export interface DigestCollector {
  addPrompt(placed: PlacedBlock, path: string): void;
  addAnswer(placed: PlacedBlock, path: string): void;
  addDirectives(directives: readonly Directive[]): void;
  addNote(path: string, text: string): void;
  addPlan(plan: PlanSnapshot): void;
  addFile(placed: PlacedBlock, path: string): void;
  addCall(placed: PlacedBlock): void;
  addResult(placed: PlacedBlock, path: string): void;
  /** Adds the path of other content to the digest. */
  addPath(path: string): void;
}

interface AppendedBlock {
  readonly block: Block;
  readonly position: number;
  /** Number of this write to the block's path; 0 if the block is not a write. */
  readonly version: number;
}

type Role =
  | "turn"
  | "prompt"
  | "answer"
  | "thinking"
  | "notes"
  | "code"
  | "note"
  | "plan"
  | "call"
  | "result"
  | "notice"
  | "summary"
  | "raw_decision";

export interface BlockKind {
  readonly type: string;
  /**
   * The part that blocks of the kind have in a conversation. A `turn` header marks where its turn begins; a `call` needs a
   * `result`; a `summary` begins a new slice of the timeline; a `raw_decision` that nothing but `notice`
   * blocks follow is shown in the tail.
   */
  readonly role: Role | null;

  // The following fields define what the model sees.
  /**
   * The beginning of the block's view. Content cannot begin a line with this header. A new header changes how other
   * content is escaped, so it needs a new version of the rendering rules (`render/version.ts`).
   */
  readonly header: string | null;
  /** The header is an ordinary word, so it counts as a header only before a blank. */
  readonly headerNeedsBlank: boolean;
  /** The text that is shown as it is, and can be clipped by lines; null if the view is made from other fields. */
  readonly content: (placed: PlacedBlock, version: number) => string | null;
  /** `text` is the content or its beginning; `version` is the version of the rendering rules. */
  readonly view: (placed: PlacedBlock, text: string, rules: EscapeRules, version: number) => readonly MessageBlock[];
  /** Whether the block is a turn header or a summary: never clipped, and not worth a compaction by itself. */
  readonly isFrame: boolean;
  /** Whether the block can only come after the calls before it have settled. */
  readonly closesCalls: boolean;
  /** Whether the block is a call, the program of a call, or the notes of a decision; not its answer or reasoning. */
  readonly isOfDecision: boolean;
  /** Whether the next request announces the block's text once. */
  readonly isAnnounced: (block: Block) => boolean;
  /** The blocks that a view shows together with the block: those that open or end a turn, or those of its call. */
  readonly group: (block: Block) => "opening" | "completion" | "call";

  // The following fields define what people see.
  /** Adds the block to the view of its turn. `sourcesKnown`: the highest SID that its text can cite. */
  readonly addToTurn: (turn: TurnView, appended: AppendedBlock, sourcesKnown: number) => TurnView;
  /** Questions in the block that the user may ask next. */
  readonly followups: (block: Block) => readonly string[];
  /** Whether all of the block is for the model only. */
  readonly isInternal: (block: Block) => boolean;
  /** The part of a block that people may see, if it is not internal; the same object if they may see all of it. */
  readonly publicPart: (block: Block) => Block;
  /** JSON that people see in place of the text of an internal block; null if they see nothing of it. */
  readonly withheldText: (block: Block) => string | null;

  // The following fields define how the block is found.
  /** Whether the JSON in the block's text may name the call it belongs to. */
  readonly namesCall: boolean;
  /** The artifact or error at another path that the block reports. */
  readonly report: (block: Block) => Digest | null;
  /** The description of the file that the block contains or describes. */
  readonly file: (block: Block) => Digest;
  /** Whether a block of the kind at a `fi:` path contains the file. */
  readonly holdsFile: boolean;
  /** An attachment has two blocks, which are one write: its `meta` and, where a model can see it, its `content`. */
  readonly attachment: "meta" | "content" | null;
  readonly readText: (block: Block) => string | undefined;
  /** How text search treats the type; null if not searched. `code` is stored in search indexes and must never change. */
  readonly search: { readonly code: number; readonly isMessage: boolean } | null;

  // The following fields define what pruning and compaction keep.
  /** What pruning does with the block: keep it, cut its text, or shorten the fields of its JSON. */
  readonly pruning: "keep" | "text" | "json";
  /** Whether a compaction may cut before the block. Cuts before a call are found by its round. */
  readonly allowsCut: boolean;
  readonly addToDigest: (placed: PlacedBlock, path: string, digest: DigestCollector) => void;
  /** Whether a compaction must keep the block's path. */
  readonly isRoot: (placed: PlacedBlock, path: string) => boolean;
  /** Whether the meta of the block names the user's time zone. */
  readonly statesTimeZone: boolean;
  /** Returns the directives that the block contains. */
  readonly directives: (block: Block, path: string) => readonly Directive[];
  /** The plans in the block; null if its kind contains none. */
  readonly plans: ((placed: Pick<PlacedBlock, "block" | "json">) => readonly PlanSnapshot[]) | null;
}

const DEFAULTS: Omit<BlockKind, "type"> = {
  role: null,
  header: null,
  headerNeedsBlank: false,
  content: ({ block }) => block.text ?? "",
  view: ({ block }, text, rules) => viewWithBinary(rules.payload(text), block),
  isFrame: false,
  closesCalls: false,
  isOfDecision: false,
  isAnnounced: () => false,
  group: () => "call",
  addToTurn: (turn) => turn,
  followups: () => [],
  isInternal: (block) => isStatedInternal(block),
  publicPart: (block) => block,
  withheldText: () => null,
  namesCall: false,
  report: () => null,
  file: fileDigest,
  holdsFile: false,
  attachment: null,
  readText: ({ text }) => text,
  search: null,
  pruning: "text",
  allowsCut: false,
  addToDigest: (placed, path, digest) => {
    if (path.startsWith("fi:")) digest.addFile(placed, path);
    else if (path !== "" && isContent(placed.block)) digest.addPath(path);
  },
  isRoot: () => false,
  statesTimeZone: false,
  directives: () => [],
  plans: null,
};

/** Whether a block is worth reading again; blocks of the runtime itself are not. */
function isContent({ text, type }: Block): boolean {
  return Boolean(text) && !/^(?:react|turn|system|agent|conv)\./.test(type);
}

/** Makes a kind. All kinds have the same fields in the same order, which makes reading them fast. */
export function defineKind(own: Partial<BlockKind> & Pick<BlockKind, "type">): BlockKind {
  return { ...DEFAULTS, ...own };
}
