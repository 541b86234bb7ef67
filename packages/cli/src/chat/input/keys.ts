/**
 * Keys from the bytes of a terminal in raw mode. Chunks may end anywhere: inside a character, an escape sequence or a
 * paste. An incomplete end waits for the next chunk. `flush` ends this wait, because it may be the Escape key.
 */
import { StringDecoder } from "node:string_decoder";

export type Key =
  | { readonly type: "text"; readonly text: string }
  /** A complete bracketed paste, with "\n" as line ends. */
  | { readonly type: "paste"; readonly text: string }
  /** Name of a key, such as `enter`, `alt-enter`, `ctrl-a`, `left` or `word-left`. Unknown sequences are `unknown`. */
  | { readonly type: "key"; readonly name: string };

const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";

const CONTROLS: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "newline",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
};

/** Names of keys by the final letter of their escape sequence, or by the number before `~`. */
const PLAIN: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "shift-tab",
  "1~": "home",
  "3~": "delete",
  "4~": "end",
  "7~": "home",
  "8~": "end",
};

const ALT: Readonly<Record<string, string>> = {
  "\r": "newline",
  "\n": "newline",
  b: "word-left",
  f: "word-right",
  d: "delete-word",
  "\x7f": "delete-word-left",
  "\b": "delete-word-left",
};

const SEQUENCE = /^\x1b(?:\[([0-9;:<=>?]*)([ -/]*[@-~])|O([ -~]))/;
const HALF_SEQUENCE = /^\x1b(?:\[[0-9;:<=>?]*[ -/]*|O)?$/;

export class KeyDecoder {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  #pasted: string | null = null;

  /** Whether an escape sequence is incomplete. If no byte follows soon, call `flush`: it was the Escape key. */
  get isWaiting(): boolean {
    return this.#rest !== "" && this.#pasted === null;
  }

  push(chunk: Uint8Array | string): Key[] {
    this.#rest += typeof chunk === "string" ? chunk : this.#decoder.write(Buffer.from(chunk));
    return this.#take(false);
  }

  flush(): Key[] {
    return this.#take(true);
  }

  #take(isLast: boolean): Key[] {
    const keys: Key[] = [];
    while (this.#rest !== "") {
      const key = this.#pasted === null ? this.#next(isLast) : this.#paste();
      if (key === null) break;
      if (key !== "more") keys.push(key);
    }
    return keys;
  }

  #paste(): Key | null {
    const text = (this.#pasted ?? "") + this.#rest;
    const end = text.indexOf(PASTE_END);
    this.#pasted = end < 0 ? text : null;
    this.#rest = end < 0 ? "" : text.slice(end + PASTE_END.length);
    return end < 0 ? null : { type: "paste", text: text.slice(0, end).replace(/\r\n?/g, "\n") };
  }

  /** The key at the start of the bytes; null when it is incomplete. */
  #next(isLast: boolean): Key | "more" | null {
    const first = this.#rest[0] ?? "";
    if (first !== "\x1b") return this.#plain(first);
    if (this.#rest.startsWith(PASTE_BEGIN)) {
      this.#rest = this.#rest.slice(PASTE_BEGIN.length);
      this.#pasted = "";
      return "more";
    }
    if (HALF_SEQUENCE.test(this.#rest) && !isLast) return null;
    const [whole, parameters = "", final = "", letter = ""] = SEQUENCE.exec(this.#rest) ?? [];
    if (whole !== undefined) return this.#cut(whole.length, nameOf(parameters, final || letter));
    const second = this.#rest[1];
    if (second === undefined || second === "\x1b") return this.#cut(1, "escape");
    return this.#cut(2, ALT[second] ?? "unknown");
  }

  #plain(first: string): Key {
    const text = /^[^\x00-\x1f\x7f]+/.exec(this.#rest)?.[0];
    if (text !== undefined) {
      this.#rest = this.#rest.slice(text.length);
      return { type: "text", text };
    }
    const code = first.charCodeAt(0);
    const letter = code > 0 && code < 27 ? `ctrl-${String.fromCharCode(code + 96)}` : "unknown";
    return this.#cut(1, CONTROLS[first] ?? letter);
  }

  #cut(length: number, name: string): Key {
    this.#rest = this.#rest.slice(length);
    return { type: "key", name };
  }
}

function nameOf(parameters: string, final: string): string {
  const [number = "", modifier = "1", code = ""] = parameters.split(";");
  // Enter with a modifier, in the two protocols that report it.
  if ((final === "u" && number === "13" && modifier !== "1") || (final === "~" && number === "27" && code === "13"))
    return "newline";
  const plain = PLAIN[final === "~" ? `${number}~` : final];
  if (plain === undefined) return "unknown";
  // The number of a modifier is 1 plus a bit for each key: 2 is Alt and 4 is Ctrl.
  const isWord = ((Number(modifier) - 1) & 6) !== 0;
  return isWord && (plain === "left" || plain === "right") ? `word-${plain}` : plain;
}
