/**
 * The client's transport over standard streams, with a limit on the values of a line: the client parses a line as soon
 * as it is complete, so its values are counted while it arrives.
 */
import { JsonCounter } from "@cairn/timeline";
import { ReadBuffer } from "@modelcontextprotocol/client";
import { StdioClientTransport, type StdioServerParameters } from "@modelcontextprotocol/client/stdio";

/** Maximum values of a line: far more than a result contains, and parsed in a tenth of a second. */
export const MESSAGE_LIMITS = { values: 300_000, depth: 500 };

const LINE_FEED = 0x0a;

/**
 * Gives the client whole lines. The client copies and searches all it holds for each chunk, so a line of ten megabytes
 * that arrives in small chunks would block the process for seconds.
 */
class CountedLines extends ReadBuffer {
  readonly #counter = new JsonCounter(MESSAGE_LIMITS);
  readonly #maxBytes: number;
  /** The line that is not complete yet. */
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    super({ maxBufferSize: maxBytes });
    this.#maxBytes = maxBytes;
  }

  override append(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(LINE_FEED, start);
      this.#counter.add(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) break;
      this.#counter.reset();
      start = end + 1;
    }
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) this.#pass(chunk.subarray(0, end));
    this.#pieces.push(chunk.subarray(end));
    this.#bytes += chunk.length - end;
    // The client refuses a line that is too long, with an error of its own.
    if (this.#bytes > this.#maxBytes) this.#pass(Buffer.alloc(0));
  }

  override clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
    super.clear();
  }

  #pass(end: Buffer): void {
    const lines = Buffer.concat([...this.#pieces, end]);
    this.#pieces = [];
    this.#bytes = 0;
    super.append(lines);
  }
}

/**
 * With a subclass of the SDK's transport, the client asks the server for its protocol revision on this connection. With
 * the SDK's own class, the client would start a second process of the server for the question, and the lines of that
 * process are not limited.
 */
export class BoundedStdio extends StdioClientTransport {
  constructor(server: StdioServerParameters & { readonly maxBufferSize: number }) {
    super(server);
    // The client accepts no custom buffer, so its own one is replaced.
    if (!Reflect.has(this, "_readBuffer")) throw new Error("The MCP client has no line buffer to replace.");
    Reflect.set(this, "_readBuffer", new CountedLines(server.maxBufferSize));
  }
}
