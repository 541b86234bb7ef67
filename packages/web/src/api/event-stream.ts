/**
 * Parses server-sent events, however their bytes are split into chunks: fields, comments, line ends of all three kinds,
 * data over several lines. The same text gives the same events however it arrives (`event-stream.test.ts`).
 */
export interface ServerEvent {
  /** `message` unless the server named another. */
  readonly event: string;
  readonly data: string;
  /** The id of this event, if it has one. */
  readonly id: string | null;
}

export class EventStreamParser {
  readonly #onEvent: (event: ServerEvent) => void;
  #buffer = "";
  #event = "";
  #data: string[] = [];
  #id: string | null = null;

  constructor(onEvent: (event: ServerEvent) => void) {
    this.#onEvent = onEvent;
  }

  push(chunk: string): void {
    this.#buffer += chunk;
    let from = 0;
    for (;;) {
      const end = this.#lineEnd(from);
      if (end === null) break;
      this.#takeLine(this.#buffer.slice(from, end.at));
      from = end.next;
    }
    this.#buffer = this.#buffer.slice(from);
  }

  /** A carriage return at the very end may be half of a CRLF pair, so the parser waits for the next character. */
  #lineEnd(from: number): { at: number; next: number } | null {
    for (let at = from; at < this.#buffer.length; at++) {
      const code = this.#buffer.charCodeAt(at);
      if (code === 10) return { at, next: at + 1 };
      if (code !== 13) continue;
      if (at + 1 === this.#buffer.length) return null;
      return { at, next: this.#buffer.charCodeAt(at + 1) === 10 ? at + 2 : at + 1 };
    }
    return null;
  }

  #takeLine(line: string): void {
    if (line === "") this.#dispatch();
    else if (!line.startsWith(":")) this.#takeField(line);
  }

  #takeField(line: string): void {
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const rest = colon === -1 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#id = value;
  }

  #dispatch(): void {
    if (this.#data.length > 0)
      this.#onEvent({ event: this.#event === "" ? "message" : this.#event, data: this.#data.join("\n"), id: this.#id });
    this.#event = "";
    this.#data = [];
    this.#id = null;
  }
}
