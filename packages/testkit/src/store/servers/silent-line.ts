/**
 * A line to a server on this machine that can go silent, as one does whose machine has vanished or whose cable was cut:
 * bytes are taken and passed on to nobody, no connection ends, and no goodbye is answered. It can also break, just when something was said.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

export class SilentLine implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isSilent = false;
  #lastWords: string | null = null;

  private constructor(server: Server, toPort: number) {
    this.#server = server;
    const address = server.address();
    this.port = typeof address === "object" && address !== null ? address.port : 0;
    server.on("connection", (near) =>
      this.#join(near, connect({ port: toPort, host: "127.0.0.1", allowHalfOpen: true })),
    );
  }

  static async open(toPort: number): Promise<SilentLine> {
    const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new SilentLine(server, toPort);
  }

  /** From here on nothing passes, and what was on its way is lost. */
  cut(): void {
    this.#isSilent = true;
  }

  /** New connections pass; those that were open during the cut stay silent for ever. */
  mend(): void {
    this.#isSilent = false;
  }

  /** The next connection on which this is said to the server breaks: no answer comes. */
  breakAfter(words: string): void {
    this.#lastWords = words;
  }

  #join(near: Socket, far: Socket): void {
    let wasCut = false;
    const pass = (from: Socket, to: Socket) => {
      this.#sockets.add(from);
      from.on("data", (bytes) => {
        wasCut ||= this.#isSilent;
        if (wasCut || to.write(bytes)) return;
        // No faster than it is taken: what is on its way when the line is cut is little.
        from.pause();
        to.once("drain", () => from.resume());
      });
      const isHeard = () => !(wasCut || this.#isSilent);
      from.on("end", () => void (isHeard() && to.end()));
      // Either end may break at any time; that is what the line is for.
      from.on("error", () => void (isHeard() && to.destroy()));
      from.on("close", () => {
        this.#sockets.delete(from);
        if (isHeard() || from === near) to.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
    near.on("data", (bytes) => {
      if (this.#lastWords === null || !bytes.includes(this.#lastWords)) return;
      this.#lastWords = null;
      near.destroy();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, "close");
  }
}
