/** Rate limits per host: two requests at a time, started a moment apart, none while the host has asked to wait. */
import { setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "@cairn/timeline";

export interface MannersOptions {
  /** Requests to one host at a time. */
  readonly atOnce: number;
  /** Milliseconds between the starts of two requests to one host. */
  readonly apartMs: number;
}

export const MANNERS: MannersOptions = { atOnce: 2, apartMs: 250 };

interface HostState {
  running: number;
  /** When the next request may begin. */
  nextAt: number;
  readonly waiting: (() => void)[];
}

/** Longer waits fail at once. */
const MAX_WAIT_MS = 20_000;
const MAX_BLOCK_MS = 10 * 60_000;
const MAX_HOSTS = 10_000;

export class HostManners {
  readonly #options: MannersOptions;
  readonly #now: () => number;
  readonly #hosts = new Map<string, HostState>();
  readonly #blocked = new Map<string, number>();

  constructor(options: MannersOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /** Waits for a slot; returns the function that frees it. */
  async enter({ host }: URL, signal: AbortSignal): Promise<() => void> {
    this.#checkBlock(host);
    const state = this.#hosts.get(host) ?? { running: 0, nextAt: 0, waiting: [] };
    this.#hosts.set(host, state);
    if (state.running >= this.#options.atOnce) await waitIn(state.waiting, signal);
    else state.running++;
    const leave = () => {
      const next = state.waiting.shift();
      if (next !== undefined) next();
      else if (--state.running === 0 && this.#hosts.size > MAX_HOSTS) this.#hosts.delete(host);
    };
    const wait = state.nextAt - this.#now();
    state.nextAt = Math.max(state.nextAt, this.#now()) + this.#options.apartMs;
    try {
      if (wait > 0) await sleep(wait, undefined, { signal });
      signal.throwIfAborted();
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  /** Avoids a host for the time its refusal asked for, in seconds or until a date. */
  heed({ host, retry_after }: Readonly<Record<string, unknown>>): void {
    if (typeof host !== "string" || typeof retry_after !== "string") return;
    const seconds = Number(retry_after);
    const until = Number.isFinite(seconds) ? this.#now() + seconds * 1_000 : Date.parse(retry_after);
    if (!(until > this.#now())) return;
    if (this.#blocked.size >= MAX_HOSTS) this.#blocked.clear();
    this.#blocked.set(host, Math.min(until, this.#now() + MAX_BLOCK_MS));
  }

  #checkBlock(host: string): void {
    const left = (this.#blocked.get(host) ?? 0) - this.#now();
    if (left <= 0) this.#blocked.delete(host);
    else
      throw new CairnError(
        "host_asked_to_wait",
        `${host} asked for a pause. Try again in ${Math.ceil(left / 1_000)} s.`,
        { host, retry_after_s: Math.ceil(left / 1_000) },
      );
  }
}

function waitIn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      stop(new CairnError("host_busy", "Too many pages of this host are being fetched at once. Ask for fewer."));
    }, MAX_WAIT_MS);
    const go = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      done();
    };
    const stop = (error: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      waiting.splice(waiting.indexOf(go), 1);
      fail(error);
    };
    const abort = () => stop(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    waiting.push(go);
    if (signal.aborted) abort();
  });
}
