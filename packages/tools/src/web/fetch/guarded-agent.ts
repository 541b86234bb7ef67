/**
 * The only way to connect: the code that opens a connection has checked its address.
 *
 * A name is resolved once per connection, every returned address is checked, and the socket is opened to exactly those
 * addresses. A resolver that would answer differently the next time gains nothing, because the resolver is not asked
 * again. A name with one rejected address is rejected. Literal addresses in a URL never reach the resolver; `checkUrl`
 * checks them, for the first URL and for every redirect.
 */
import type { LookupFunction } from "node:net";
import { Agent } from "undici";
import { refusedRange } from "./address-rules.ts";
import type { AllowList } from "./allow-list.ts";
import { type ResolvedAddress, resolveHost } from "./resolve-host.ts";
import { refusedTarget } from "./url-rules.ts";

export interface GuardOptions {
  readonly isAllowed: AllowList;
  /** Answers with every address of a name; `resolveHost` by default. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
  /** Why an address is rejected; null when it is not. */
  readonly refuses?: (address: string) => string | null;
  readonly connectTimeoutMs: number;
}

const MAX_HEADER_BYTES = 32 * 1024;

/** An agent for one URL: whether a host is allowed may depend on its port, which a resolver does not know. */
export function guardedAgent(url: URL, options: GuardOptions): Agent {
  const { resolve = resolveHost, refuses = refusedRange, connectTimeoutMs } = options;
  const allowed = options.isAllowed(url);
  const lookup: LookupFunction = (host, { all }, done) => {
    const answer = async () => {
      const addresses = await resolve(host);
      if (addresses.length === 0) throw Object.assign(new Error(`${host} has no address.`), { code: "ENOTFOUND" });
      for (const { address } of addresses) {
        const range = allowed ? null : refuses(address);
        if (range !== null) throw refusedTarget(host, range);
      }
      return addresses;
    };
    answer().then(
      (addresses) => {
        const [first] = addresses;
        if (all === true) done(null, [...addresses]);
        else done(null, first?.address ?? "", first?.family);
      },
      (error: NodeJS.ErrnoException) => done(error, "", 0),
    );
  };
  return new Agent({
    connect: { lookup, timeout: connectTimeoutMs },
    connections: 1,
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}
