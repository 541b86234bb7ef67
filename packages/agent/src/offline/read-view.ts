/**
 * Parses a rendered timeline: the turns, attachments, calls and results, the notes and the pool. The renderer escapes
 * headers in content, so every line that looks like a header is a real one.
 */
import {
  type BinaryMessage,
  type BlockKind,
  CLIP_MARK,
  HEADERS,
  kindOfHeader,
  type RenderedView,
} from "@cairn/timeline";

interface Attachment {
  readonly name: string;
  readonly mime: string;
  readonly path: string;
  binary: BinaryMessage | null;
}

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly params: string;
}

export interface ToolFinding {
  readonly callId: string;
  readonly tool: string;
  /** Logical path of the result. */
  readonly path: string;
  readonly text: string;
  /** Whether the renderer left out the end of the text. */
  readonly isClipped: boolean;
  binary: BinaryMessage | null;
}

export interface ReadTurn {
  readonly id: string;
  readonly prompts: string[];
  readonly attachments: Attachment[];
  readonly calls: ToolCall[];
  readonly findings: ToolFinding[];
  /** Calls that failed, with the reason. */
  readonly failures: Map<string, string>;
  /** Files without readable text, by logical path, with the reason. */
  readonly unreadable: Map<string, string>;
  readonly violations: string[];
  answer: string | null;
}

export interface PoolRow {
  readonly sid: number;
  /** Where the text was found: a logical path, or a domain. */
  readonly place: string;
  readonly label: string;
}

export interface ReadTimeline {
  readonly turns: readonly ReadTurn[];
  readonly notes: readonly string[];
  readonly summaries: readonly string[];
  readonly pool: readonly PoolRow[];
  /** Whether the turn ends with this decision, because it has used all of its decisions. */
  readonly isLastDecision: boolean;
  /** The time in the user's zone, or else in UTC: `2026-01-31 17:45:00 Europe/Berlin`. Null if it is unknown. */
  readonly now: string | null;
}

// Node 22 has no RegExp.escape.
const escaped = HEADERS.map((header) => header.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
const HEADER = new RegExp(`^(?=${escaped.join("|")})`, "gm");

export function readView(view: RenderedView): ReadTimeline {
  const reader = new ViewReader();
  for (const message of view)
    if (message.type === "text") for (const section of message.text.split(HEADER)) reader.take(section);
    else reader.attach(message);
  return reader;
}

class ViewReader implements ReadTimeline {
  readonly turns: ReadTurn[] = [];
  readonly notes: string[] = [];
  readonly summaries: string[] = [];
  readonly pool: PoolRow[] = [];
  isLastDecision = false;
  now: string | null = null;
  #holder: Attachment | ToolFinding | null = null;

  /** A picture or document belongs to the attachment or artifact described just before it. */
  attach(binary: BinaryMessage): void {
    if (this.#holder !== null) this.#holder.binary = binary;
    this.#holder = null;
  }

  take(section: string): void {
    const end = section.indexOf("\n");
    const head = end === -1 ? section.trimEnd() : section.slice(0, end);
    const whole = end === -1 ? "" : section.slice(end + 1).trimEnd();
    const body = withoutClipNote(whole);
    this.#holder = null;
    const kind = kindOfHeader(head);
    if (kind?.header != null) this.#takeBlock(kind, head.slice(kind.header.length), body, body !== whole);
    else if (head.startsWith("SOURCES POOL (")) this.#takePool(body);
    else if (head.startsWith("[ANNOUNCE]")) this.#takeAnnouncement(body);
  }

  /** `rest` is the rest of the first line, after the header of the kind. */
  #takeBlock(kind: BlockKind, rest: string, body: string, isClipped: boolean): void {
    if (kind.attachment === "meta") this.#takeAttachment(rest.slice(1), body);
    switch (kind.role) {
      case "turn":
        this.turns.push(emptyTurn(/^([^\]]*)\]/.exec(rest)?.[1] ?? ""));
        break;
      case "prompt":
        this.#turn.prompts.push(unescaped(withoutLines(body, "[path: ")));
        break;
      case "call":
        this.#takeCall(rest, body);
        break;
      case "result":
        this.#takeResult(rest, body, isClipped);
        break;
      case "notice":
        if (rest.startsWith(" protocol_violation.")) this.#turn.violations.push(rest.slice(1));
        break;
      case "note":
        this.notes.push(unescaped(body));
        break;
      case "summary":
        this.summaries.push(unescaped(withoutLines(body, "[path: ", "covered_turns:")));
        break;
      case "answer":
        this.#turn.answer = unescaped(withoutLines(body, "[path: ", "[sources_used: "));
    }
  }

  get #turn(): ReadTurn {
    const last = this.turns.at(-1);
    if (last !== undefined) return last;
    const first = emptyTurn("");
    this.turns.push(first);
    return first;
  }

  #takeAttachment(described: string, body: string): void {
    const bar = described.lastIndexOf(" | ");
    const path = /^\[path: (.*)\]$/m.exec(body)?.[1] ?? "";
    const name = bar === -1 ? described : described.slice(0, bar);
    const attachment = { name, mime: bar === -1 ? "" : described.slice(bar + 3), path, binary: null };
    this.#turn.attachments.push(attachment);
    this.#holder = attachment;
  }

  #takeCall(rest: string, body: string): void {
    const [, id = "", tool = ""] = /^([^\]]*)\]\.call (.*)$/.exec(rest) ?? [];
    const at = body.indexOf("Params:\n");
    this.#turn.calls.push({ id, tool, params: at === -1 ? "" : body.slice(at + "Params:\n".length) });
  }

  #takeResult(rest: string, body: string, isClipped: boolean): void {
    const [, callId = "", part = "", tool = ""] = /^([^\]]*)\]\.(\w+) ?(.*)$/.exec(rest) ?? [];
    if (part === "summary") {
      const failed = /^Status: error (.*)$/m.exec(body)?.[1];
      if (failed !== undefined) this.#turn.failures.set(callId, failed);
      const file = /^- logical_path: (.*?)(?: \| (?:kind|visibility|size_bytes): .*)?$/m.exec(body)?.[1];
      const [, why] = /^unreadable: (.*)$/.exec(failed ?? "") ?? [];
      if (file !== undefined && why !== undefined) this.#turn.unreadable.set(file, why);
      return;
    }
    const path = /^logical_path: (.*)$/m.exec(body)?.[1] ?? "";
    const text = unescaped(withoutLines(body, "logical_path: ", "physical_path: "));
    const failed = /^Status: error (.*)$/m.exec(body.slice(0, 500))?.[1];
    if (failed !== undefined) this.#turn.failures.set(callId, failed);
    const finding = { callId, tool, path, text, isClipped, binary: null };
    this.#turn.findings.push(finding);
    this.#holder = finding;
  }

  #takePool(body: string): void {
    for (const line of body.split("\n")) {
      const [, sid, place, label] = /^\[S:(\d{1,9})\] (.*?) {2}\| {2}"(.*)" {2}\| {2}~/.exec(line) ?? [];
      if (sid !== undefined) this.pool.push({ sid: Number(sid), place: place ?? "", label: label ?? "" });
    }
  }

  #takeAnnouncement(body: string): void {
    const [, current, limit] = /^iteration: (\d{1,9})\/(\d{1,9})$/m.exec(body) ?? [];
    this.isLastDecision = current !== undefined && Number(current) >= Number(limit);
    this.now = (/^time_user: (.*)$/m.exec(body) ?? /^time_utc: (.*)$/m.exec(body))?.[1] ?? null;
  }
}

function emptyTurn(id: string): ReadTurn {
  return {
    id,
    prompts: [],
    attachments: [],
    calls: [],
    findings: [],
    failures: new Map(),
    unreadable: new Map(),
    violations: [],
    answer: null,
  };
}

/** Removes the renderer's note that the text was clipped, which is always the last line of a body. */
function withoutClipNote(body: string): string {
  const start = body.lastIndexOf("\n") + 1;
  return body.startsWith(CLIP_MARK, start) ? body.slice(0, start).trimEnd() : body;
}

/** Removes the lines that the renderer puts at the beginning of a body, in this order and each at most once. */
function withoutLines(body: string, ...own: readonly string[]): string {
  let from = 0;
  for (const start of own) {
    if (!body.startsWith(start, from)) continue;
    const end = body.indexOf("\n", from);
    from = end === -1 ? body.length : end + 1;
  }
  return body.slice(from);
}

/** Removes the renderer's escape from a line. An escape before `[page`, `[sheet` or `[slide` stays. */
function unescaped(text: string): string {
  return text.includes("\\[") || text.includes("\\SOURCES")
    ? text.replace(/^\\(?=\[(?!(?:page|sheet|slide) )|SOURCES POOL)/gm, "")
    : text;
}
