/** A follower of one conversation, like a browser: it reads the event stream of the conversation until it leaves. */
const CLOSED = "\nevent: turn.closed\n";

/**
 * Reads continuously and records how long each event took to arrive. Each turn that closes resolves one call of `next`.
 */
export class Closings {
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  #unseen = 0;
  #failure: unknown = null;

  constructor(response: Response, took: number[]) {
    void this.#read(response, took).catch((error: unknown) => {
      this.#failure = error;
      for (const { reject } of this.#waiting) reject(error);
    });
  }

  async next(): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (this.#unseen > 0) {
      this.#unseen--;
      return;
    }
    const waiting = Promise.withResolvers<void>();
    this.#waiting.push(waiting);
    await waiting.promise;
  }

  async #read(response: Response, took: number[]): Promise<void> {
    if (response.body === null) throw new Error("There is no event stream.");
    let rest = "";
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const arrived = Date.now();
      const frames = (rest + text).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const stored = /"ts":"([^"]+)"\}$/.exec(frame)?.[1];
        if (frame.startsWith("id: ") && stored !== undefined) took.push(arrived - Date.parse(stored));
        if (!frame.includes(CLOSED)) continue;
        const waiting = this.#waiting.shift();
        if (waiting === undefined) this.#unseen++;
        else waiting.resolve();
      }
    }
    throw new Error("The event stream ended.");
  }
}
