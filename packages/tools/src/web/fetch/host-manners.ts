/** Rate limits per host: two requests at a time, started a moment apart, none while the host has asked to wait. */
import { setTimeout as sleep } from "node:timers/promises";
import { Places } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";

export interface MannersOptions {
  readonly atOnce: number;
  /** Milliseconds between the starts of two requests to one host. */
  readonly apartMs: number;
}

export const MANNERS: MannersOptions = { atOnce: 2, apartMs: 250 };

interface HostState {
  readonly places: Places;
  /** Time at which the next request to the host may begin. */
  nextAt: number;
}

/** Maximum wait. A request that would wait longer fails at once. */
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
    const state = this.#hosts.get(host) ?? { places: new Places(this.#options.atOnce), nextAt: 0 };
    this.#hosts.set(host, state);
    const late = AbortSignal.timeout(MAX_WAIT_MS);
    await state.places.enter(AbortSignal.any([signal, late])).catch((error: unknown) => {
      throw late.aborted && !signal.aborted ? hostBusy() : error;
    });
    const leave = () => {
      state.places.leave();
      if (state.places.isUnused && this.#hosts.size > MAX_HOSTS) this.#hosts.delete(host);
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
        `${host} asked clients to wait. Try again in ${Math.ceil(left / 1_000)} s.`,
        { host, retry_after_s: Math.ceil(left / 1_000) },
      );
  }
}

function hostBusy(): CairnError {
  return new CairnError("host_busy", "Too many pages of this host are being fetched at once. Ask for fewer.");
}
