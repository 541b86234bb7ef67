/**
 * Finds the addresses of a host without the thread pool of the process. `dns.lookup` blocks one of the four threads of
 * the pool for as long as a name server says nothing, so that a few such names stop every lookup and every file
 * operation. Here the questions are sent by c-ares over sockets of their own, and each lookup has a deadline.
 *
 * As the system does, the lookup reads the hosts file first and tries the search domains of `resolv.conf`. `localhost`
 * is this machine and is never looked up. Other sources of names (mDNS, LDAP) are not used.
 */
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { ifMissing } from "@cairn/agent";
import { errorCode } from "@cairn/timeline";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface ResolveOptions {
  /** Maximum milliseconds for all DNS queries about a host together. */
  readonly deadlineMs: number;
  readonly hostsFile: string;
  /** Path of the `resolv.conf` whose search domains are tried. */
  readonly resolvConf: string;
  /** Name servers; the system's if null. */
  readonly servers: readonly string[] | null;
}

const SYSTEM: ResolveOptions = {
  deadlineMs: 5_000,
  hostsFile:
    process.platform === "win32"
      ? join(process.env.SystemRoot ?? "C:\\Windows", "System32", "drivers", "etc", "hosts")
      : "/etc/hosts",
  resolvConf: "/etc/resolv.conf",
  servers: null,
};

/** How long c-ares waits for an answer the first time it asks, and how often it asks each server. */
const FIRST_TRY_MS = 1_500;
const TRIES = 3;
const MAX_SEARCH_DOMAINS = 6;
const NOT_THERE = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

/** Every address of a host. Throws `ENOTFOUND` when it has none, and `EAI_AGAIN` when no name server said so in time. */
export async function resolveHost(
  host: string,
  options: Partial<ResolveOptions> = {},
): Promise<readonly ResolvedAddress[]> {
  const { deadlineMs, hostsFile, resolvConf, servers } = { ...SYSTEM, ...options };
  const name = host.toLowerCase().replace(/\.$/, "");
  const family = isIP(name);
  if (family !== 0) return [{ address: name, family }];
  const listed = inHosts(await textOf(hostsFile), name);
  if (listed.length > 0) return listed;
  if (name === "localhost" || name.endsWith(".localhost")) return LOOPBACK;
  // Each lookup has its own resolver, so that its deadline does not end other lookups.
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (servers !== null) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
  try {
    for (const candidate of candidates(host, await textOf(resolvConf))) {
      const addresses = await ask(resolver, candidate);
      if (addresses.length > 0) return addresses;
    }
  } finally {
    clearTimeout(deadline);
  }
  throw failure("ENOTFOUND", `${host} has no address.`);
}

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** Asks for the addresses of a name; empty when it does not exist. */
async function ask(resolver: Resolver, name: string): Promise<readonly ResolvedAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [
    ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length > 0) return found;
  for (const answer of [four, six])
    if (answer.status === "rejected" && !NOT_THERE.has(errorCode(answer.reason)))
      throw failure("EAI_AGAIN", `No name server answered for ${name}: ${errorCode(answer.reason)}.`);
  return [];
}

/** The names that are looked up, in order, as `resolv.conf` says. */
function candidates(host: string, conf: string): readonly string[] {
  if (host.endsWith(".")) return [host];
  let search: readonly string[] = [];
  let dotsOfWhole = 1;
  for (const line of conf.split("\n")) {
    const [keyword, ...words] = line.trim().split(/\s+/);
    if (keyword === "search" || keyword === "domain") search = words.slice(0, MAX_SEARCH_DOMAINS);
    const dots = keyword === "options" ? words.find((word) => /^ndots:\d+$/.test(word)) : undefined;
    if (dots !== undefined) dotsOfWhole = Number(dots.slice("ndots:".length));
  }
  const within = search.filter((domain) => domain !== ".").map((domain) => `${host}.${domain}`);
  return host.split(".").length - 1 >= dotsOfWhole ? [host, ...within] : [...within, host];
}

function inHosts(text: string, name: string): readonly ResolvedAddress[] {
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.includes(name) ? [{ address, family }] : [];
  });
}

/** Reads a system file; empty if it does not exist. */
async function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch(ifMissing(""));
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
