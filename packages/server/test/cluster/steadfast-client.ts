/**
 * A well-behaved client of a cluster: repeats a message with the same key until it is accepted, and reconnects with the
 * last event id, to any server that answers.
 */
import { setTimeout as wait } from "node:timers/promises";
import { readFrames, type SentFrame } from "../server-bench.ts";

const AGAIN_MS = 200;

export interface Taken {
  readonly turn_id: string;
  readonly input_key: string;
  readonly seq: number;
}

export class SteadfastClient {
  readonly #addressOf: (nth: number) => string;
  #asked = 0;

  constructor(addressOf: (nth: number) => string) {
    this.#addressOf = addressOf;
  }

  /** Sends the message until a server has accepted it. The key makes the repetition safe. */
  async post(path: string, body: object, key?: string): Promise<ReturnType<typeof JSON.parse>> {
    const headers = { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) };
    for (;;) {
      const response = await fetch(`${this.#address()}${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      }).catch(() => null);
      if (response?.ok === true) return await response.json();
      if (response !== null && response.status < 500 && response.status !== 429)
        throw new Error(`${response.status} ${await response.text()}`);
      await wait(AGAIN_MS);
    }
  }

  /** Sends the deletion until a server has deleted the conversation or does not find it. */
  async delete(path: string): Promise<void> {
    for (;;) {
      const response = await fetch(`${this.#address()}${path}`, { method: "DELETE" }).catch(() => null);
      if (response?.ok === true || response?.status === 404) return;
      await wait(AGAIN_MS);
    }
  }

  async say(id: string, message: string, key: string): Promise<Taken> {
    const data = Buffer.from(`attached to ${key}`).toString("base64");
    const attachments = [{ name: `${key}.txt`, mime: "text/plain", data }];
    return await this.post(`/api/conversations/${id}/turns`, { message, attachments }, key);
  }

  /** All frames from the first event on, read over as many connections as necessary. */
  async *follow(id: string): AsyncGenerator<SentFrame> {
    for (let after = 0; ; ) {
      const leave = new AbortController();
      try {
        const path = `/api/conversations/${id}/events?after=${after}`;
        const response = await fetch(`${this.#address()}${path}`, { signal: leave.signal });
        if (response.ok && response.body !== null)
          for await (const frame of readFrames(response.body)) {
            if (frame.id !== null) after = Number(frame.id);
            yield frame;
          }
      } catch {
        // The connection was cut. The next connection continues after the last event.
      } finally {
        leave.abort();
      }
      await wait(AGAIN_MS);
    }
  }

  #address(): string {
    return this.#addressOf(this.#asked++);
  }
}
