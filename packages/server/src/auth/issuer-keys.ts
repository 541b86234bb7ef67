/**
 * The public keys of an issuer. They are found through its discovery document and cached. For an unknown key id, the
 * keys are fetched again, because issuers rotate keys. There is a minimum time between two fetches, so that invented
 * key ids cause no load. If the issuer is unreachable, cached keys are used until they are too old.
 */
import { CairnError } from "@cairn/timeline";
import { isSafeAddress } from "cairn-agent/process";
import { createRemoteJWKSet, customFetch, type RemoteJWKSet } from "jose";
import { z } from "zod";

export interface IssuerKeysOptions {
  /** Timeout of one request to the issuer. */
  readonly timeoutMs?: number;
  /** Minimum time between two fetches for an unknown key, and between two failed attempts. */
  readonly coolDownMs?: number;
  readonly maxAgeMs?: number;
}

const TIMEOUT_MS = 5_000;
const COOL_DOWN_MS = 30_000;
const MAX_AGE_MS = 600_000;
/** After a failure, the next attempt comes sooner than usual, because no user can sign in until one succeeds. */
const FAILURE_MS = 2_000;
const MAX_BYTES = 1_000_000;
const NO_ANSWER = "it did not answer the last request, a moment ago";

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.string() });
const keysSchema = z.object({ keys: z.array(z.unknown()) });

export class IssuerKeys {
  readonly #issuer: string;
  readonly #options: Required<IssuerKeysOptions>;
  #keys: Promise<RemoteJWKSet> | null = null;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(issuer: string, options: IssuerKeysOptions = {}) {
    this.#issuer = issuer;
    this.#options = { timeoutMs: TIMEOUT_MS, coolDownMs: COOL_DOWN_MS, maxAgeMs: MAX_AGE_MS, ...options };
  }

  async find(): Promise<RemoteJWKSet> {
    if (this.#keys === null && this.#failedJustNow()) throw unreachable(NO_ANSWER);
    this.#keys ??= this.#discover();
    try {
      return await this.#keys;
    } catch (error) {
      this.#keys = null;
      this.#failedAt = performance.now();
      throw unreachable(error);
    }
  }

  async #discover(): Promise<RemoteJWKSet> {
    const { timeoutMs, coolDownMs, maxAgeMs } = this.#options;
    const address = `${this.#issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const response = await fetchBounded(address, { signal: AbortSignal.timeout(timeoutMs), redirect: "error" });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const found = discoverySchema.safeParse(await response.json());
    if (!found.success) throw new Error("its discovery document has no jwks_uri");
    const { issuer, jwks_uri } = found.data;
    if (issuer !== this.#issuer) throw new Error("its discovery document names another issuer");
    if (!isSafeAddress(jwks_uri)) throw new Error("its keys are not served over https");
    return createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: timeoutMs,
      cooldownDuration: coolDownMs,
      cacheMaxAge: maxAgeMs,
      [customFetch]: (url, init) => this.#fetchKeys(url, init),
    });
  }

  /** A failed or invalid answer is cached for a while, so that not every token causes a request to the issuer. */
  async #fetchKeys(address: string, init: RequestInit): Promise<Response> {
    if (this.#failedJustNow()) throw new Error(NO_ANSWER);
    try {
      const response = await fetchBounded(address, init);
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      if (!keysSchema.safeParse(await response.clone().json()).success)
        throw new Error("its answer contains no list of keys");
      return response;
    } catch (error) {
      this.#failedAt = performance.now();
      throw error;
    }
  }

  #failedJustNow(): boolean {
    return performance.now() - this.#failedAt < Math.min(FAILURE_MS, this.#options.coolDownMs);
  }
}

export function unreachable(cause: unknown): CairnError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CairnError(
    "issuer_unreachable",
    `The keys that sign tokens cannot be fetched from the issuer (${reason}). Try again in a moment.`,
  );
}

/** Fetches a response with a limit on its size. */
async function fetchBounded(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, init);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`it sent more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers });
}
