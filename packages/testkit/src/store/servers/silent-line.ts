/**
 * A proxy to a local server that can go silent, like a connection to a machine that has vanished: it accepts bytes and
 * forwards none, ends no connection and answers no close. The connection can also break after a certain text was sent.
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

  /** From this call on nothing is forwarded, and bytes in transit are lost. */
  cut(): void {
    this.#isSilent = true;
  }

  /** New connections work; those that were open during the cut stay silent. */
  mend(): void {
    this.#isSilent = false;
  }

  /** The next connection on which this text is sent to the server breaks before the answer arrives. */
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
        // Respects backpressure, so that little is in transit when the line is cut.
        from.pause();
        to.once("drain", () => from.resume());
      });
      const isHeard = () => !(wasCut || this.#isSilent);
      from.on("end", () => void (isHeard() && to.end()));
      // Either end may break at any time, which is the purpose of this class.
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
