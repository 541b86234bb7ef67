/**
 * Tests requests to forbidden addresses: a table of attacks against a local server (the canary). Each attack is refused
 * without reaching the canary, and has a positive control: the same request reaches the canary when it is allowed.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusedRange } from "./address-rules.ts";
import { PageFetcher, type PageFetcherOptions } from "./page-fetcher.ts";

const SECRET = "canary: the secret of this machine";

class Canary {
  readonly server: Server;
  hits = 0;
  port = 0;

  constructor() {
    this.server = createServer((_, answer) => {
      this.hits++;
      answer.setHeader("content-type", "text/plain").end(SECRET);
    });
  }

  async listen(host: string): Promise<boolean> {
    const listening = await new Promise<boolean>((done) => {
      this.server.once("error", () => done(false)).listen(0, host, () => done(true));
    });
    if (listening) this.port = (this.server.address() as AddressInfo).port;
    return listening;
  }
}

const canary = new Canary();
const canary6 = new Canary();
/** Redirects as the query says; the last redirect leads to `to`. */
const redirector = createServer((request, answer) => {
  const url = new URL(request.url ?? "/", "http://x");
  const [to = "", hops = 0, status = 302] = [
    url.searchParams.get("to") ?? "",
    Number(url.searchParams.get("hops")),
    Number(url.searchParams.get("status") ?? 302),
  ];
  if (url.pathname === "/refresh") {
    answer
      .setHeader("content-type", "text/html")
      .end(`<meta http-equiv="refresh" content="0;url=${to}"><p>Wait a moment.</p>`);
    return;
  }
  const next = hops > 0 ? `/?hops=${hops - 1}&status=${status}&to=${encodeURIComponent(to)}` : to;
  answer.writeHead(status, { location: next }).end();
});
let hasIpv6 = false;
let front = 0;
const fetchers: PageFetcher[] = [];

beforeAll(async () => {
  await canary.listen("127.0.0.1");
  hasIpv6 = await canary6.listen("::1");
  await new Promise<void>((done) => redirector.listen(0, "127.0.0.1", done));
  front = (redirector.address() as AddressInfo).port;
});
afterAll(async () => {
  await Promise.all(fetchers.map((fetcher) => fetcher.close()));
  for (const server of [canary.server, canary6.server, redirector]) {
    server.closeAllConnections();
    server.close();
  }
});

function fetcherOf(options: PageFetcherOptions): PageFetcher {
  const fetcher = new PageFetcher({ manners: { apartMs: 0 }, limits: { totalMs: 10_000 }, ...options });
  fetchers.push(fetcher);
  return fetcher;
}

const signal = new AbortController().signal;
const fetchText = async (url: string, options: PageFetcherOptions) =>
  (await fetcherOf(options).fetch(url, { signal })).text;

async function expectRefused(url: string, options: PageFetcherOptions, code: RegExp): Promise<void> {
  const before = canary.hits + canary6.hits;
  const error: unknown = await fetchText(url, options).then(
    (text) => new Error(`was fetched: ${text}`),
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: expect.stringMatching(code) });
  expect(canary.hits + canary6.hits).toBe(before);
}

/** Resolves any name to the same address. */
const resolving =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("an address of this machine is refused however it is spelled, and reached when it is allowed", () => {
  const loopback: [name: string, host: string][] = [
    ["dotted", "127.0.0.1"],
    ["decimal", "2130706433"],
    ["octal", "0177.0.0.01"],
    ["octal, one number", "017700000001"],
    ["hexadecimal", "0x7f000001"],
    ["hexadecimal, dotted", "0x7f.0x0.0x0.0x1"],
    ["mixed bases", "0x7f.0.01"],
    ["short", "127.1"],
    ["shorter", "127.0.1"],
    ["unspecified", "0.0.0.0"],
    ["zero", "0"],
    ["trailing dot", "127.0.0.1."],
    ["full-width digits", "１２７.０.０.１"],
    ["ideographic full stops", "127。0。0。1"],
    ["circled digits", "①②⑦.⓪.⓪.①"],
    ["percent-encoded", "%31%32%37.0.0.1"],
    ["tab in the host", "127.0.\t0.1"],
    ["soft hyphen in the host", "127.0.0.\u00ad1"],
    ["IPv4-mapped IPv6", "[::ffff:127.0.0.1]"],
    ["IPv4-mapped IPv6, hexadecimal", "[::ffff:7f00:1]"],
    ["IPv4-mapped IPv6, long", "[0:0:0:0:0:ffff:127.0.0.1]"],
  ];
  it.each(loopback)("%s: %s", async (_, host) => {
    const url = `http://${host}:${canary.port}/`;
    await expectRefused(url, {}, /^refused_target$/);
    expect(await fetchText(url, { allow: [host.replaceAll("\t", "")] })).toBe(SECRET);
  });

  it.each([
    ["IPv6", "[::1]"],
    ["IPv6, long", "[0:0:0:0:0:0:0:1]"],
    ["IPv6 unspecified", "[::]"],
  ])("%s: %s", async (_, host) => {
    const url = `http://${host}:${canary6.port || 8080}/`;
    await expectRefused(url, {}, /^refused_target$/);
    if (hasIpv6) expect(await fetchText(url, { allow: [host] })).toBe(SECRET);
  });
});

describe("a name is refused for the addresses it resolves to, and reached when it is allowed", () => {
  it.each([
    ["localhost, by the system's resolver", "localhost", undefined],
    ["localhost in capitals", "LOCALHOST", undefined],
    ["localhost with a trailing dot", "localhost.", resolving("127.0.0.1")],
    ["a name below localhost", "a.localhost", resolving("127.0.0.1")],
    ["DNS to loopback", "intranet.example", resolving("127.0.0.1")],
    ["DNS with the address in the name", "127.0.0.1.nip.example", resolving("127.0.0.1")],
    ["DNS to IPv4-mapped IPv6", "mapped.example", resolving("::ffff:127.0.0.1")],
    ["DNS to the unspecified address", "zero.example", resolving("0.0.0.0")],
    ["DNS with a public and a private address", "both.example", resolving("127.0.0.1", "93.184.216.34")],
    ["an internationalised name", "bücher.example", resolving("127.0.0.1")],
  ])("%s", async (_, host, resolve) => {
    const url = `http://${host}:${canary.port}/`;
    const options = resolve === undefined ? {} : { resolve };
    await expectRefused(url, options, /^refused_target$/);
    expect(await fetchText(url, { ...options, allow: [`${host}:${canary.port}`] })).toBe(SECRET);
  });

  it.each([
    ["a metadata service", "metadata.google.internal", "169.254.169.254"],
    ["a private network", "router.example", "192.168.1.1"],
    ["NAT64 of a loopback address", "nat64.example", "64:ff9b::7f00:1"],
  ])("%s", async (_, host, address) => {
    await expectRefused(`http://${host}/`, { resolve: resolving(address) }, /^refused_target$/);
  });

  it("an allowed port allows no other", async () => {
    const options = { resolve: resolving("127.0.0.1") };
    await expectRefused(`http://a.example:${canary.port}/`, { ...options, allow: "a.example:1" }, /^refused_target$/);
  });
});

describe("a resolver that changes its answer", () => {
  /** 127.0.0.2 represents a public server, 127.0.0.1 the address it must not lead to. */
  const refuses = (address: string) => (address === "127.0.0.2" ? null : "private");
  const rebinding = () => {
    const answers = ["127.0.0.2", "127.0.0.1"];
    let asked = 0;
    const resolve = async () => {
      const address = answers[Math.min(asked++, 1)] ?? "";
      return [{ address, family: 4 }];
    };
    return { resolve, asked: () => asked };
  };

  it("gains nothing: the checked address is the one connected to, and every connection is checked", async () => {
    const open = createServer((_, answer) => answer.setHeader("content-type", "text/plain").end("public"));
    await new Promise<void>((done) => open.listen(canary.port, "127.0.0.2", done));
    try {
      const { resolve, asked } = rebinding();
      const fetcher = fetcherOf({ resolve, refuses });
      const url = `http://rebind.example:${canary.port}/`;
      const before = canary.hits;
      expect((await fetcher.fetch(url, { signal })).text).toBe("public");
      expect(asked()).toBe(1);
      await expect(fetcher.fetch(url, { signal })).rejects.toMatchObject({ code: "refused_target" });
      expect(canary.hits).toBe(before);
    } finally {
      open.close();
      open.closeAllConnections();
    }
  });

  it("reaches the canary if a name is checked first and resolved again to connect", async () => {
    const { resolve } = rebinding();
    const [checked] = await resolve();
    expect(refuses(checked?.address ?? "")).toBeNull();
    const [connected] = await resolve();
    const answer = await fetch(`http://${connected?.address}:${canary.port}/`);
    expect(await answer.text()).toBe(SECRET);
  });
});

describe("a redirect is checked like the first address, and followed when it is allowed", () => {
  const start = (query: string, path = "/") => `http://front.example:${front}${path}?${query}`;
  const options = () => ({ resolve: resolving("127.0.0.1"), allow: [`front.example:${front}`] });
  const target = () => `http://127.0.0.1:${canary.port}/`;

  it.each([301, 302, 303, 307, 308])("status %i", async (status) => {
    const url = start(`status=${status}&to=${encodeURIComponent(target())}`);
    await expectRefused(url, options(), /^refused_target$/);
    expect(await fetchText(url, { ...options(), allow: [`front.example:${front}`, "127.0.0.1"] })).toBe(SECRET);
  });

  it("a chain whose last hop is refused", async () => {
    const url = start(`hops=5&to=${encodeURIComponent(target())}`);
    await expectRefused(url, options(), /^refused_target$/);
    expect(await fetchText(url, { ...options(), allow: [`front.example:${front}`, "127.0.0.1"] })).toBe(SECRET);
  });

  it.each([
    ["without a scheme", () => `//127.0.0.1:${canary.port}/`, /^refused_target$/],
    ["in decimal", () => `http://2130706433:${canary.port}/`, /^refused_target$/],
    ["to a name with a private address", () => `http://inner.example:${canary.port}/`, /^refused_target$/],
    ["with credentials", () => `http://u:p@127.0.0.1:${canary.port}/`, /^bad_url$/],
    ["to a file", () => "file:///etc/passwd", /^bad_url$/],
    ["to gopher", () => `gopher://127.0.0.1:${canary.port}/_GET`, /^bad_url$/],
    ["to data", () => "data:text/html,x", /^bad_url$/],
    ["to nowhere", () => "http://[", /^bad_answer$/],
  ])("%s", async (_, to, code) => {
    await expectRefused(start(`to=${encodeURIComponent(to())}`), options(), code);
  });

  it("in a circle, or endless", async () => {
    await expectRefused(start("hops=30&to=/x"), options(), /^too_many_redirects$/);
    const circle = start("").replace(/\?$/, "?to=%3Fto%3D%253F");
    await expectRefused(circle, options(), /^(?:redirect_loop|too_many_redirects|bad_answer)$/);
  });

  it("a page that asks to be refreshed elsewhere is read, not followed", async () => {
    const before = canary.hits;
    const text = await fetchText(start(`to=${encodeURIComponent(target())}`, "/refresh"), options());
    expect(text).toBe("Wait a moment.");
    expect(canary.hits).toBe(before);
  });
});

describe("an address that is not a plain web address is refused", () => {
  it.each([
    "file:///etc/passwd",
    "ftp://example.com/a",
    "gopher://example.com/",
    "data:text/plain,x",
    "javascript:alert(1)",
    "ws://example.com/",
    "blob:https://example.com/1",
    "about:blank",
    "corpus:///a.md",
    "unix:/var/run/docker.sock",
    "http+unix://%2Fvar%2Frun%2Fdocker.sock/containers",
    "//127.0.0.1/",
    "127.0.0.1",
    "/etc/passwd",
    "http://",
    "http:///",
    "",
    "http://[fe80::1%25lo]/",
    "http://[::1%25lo]/",
    "http://999.999.999.999/",
    "http://1.2.3.4.5/",
    "http://exa mple.com/",
  ])("%s", async (url) => {
    await expectRefused(url, { allow: "127.0.0.1,::1" }, /^(?:bad_url|refused_target)$/);
  });

  it("an address with credentials, which would otherwise be reached", async () => {
    for (const user of ["user:password@", "user@", ":password@", "example.com:80@", "example.com%2F@"])
      await expectRefused(`http://${user}127.0.0.1:${canary.port}/`, { allow: "127.0.0.1" }, /^bad_url$/);
    await expectRefused(`http:\\\\user@127.0.0.1:${canary.port}\\`, { allow: "127.0.0.1" }, /^bad_url$/);
    expect(await fetchText(`http://127.0.0.1:${canary.port}/`, { allow: "127.0.0.1" })).toBe(SECRET);
  });

  it("an address over the length limit", async () => {
    await expectRefused(`http://example.com/${"a".repeat(9_000)}`, {}, /^bad_url$/);
  });

  it("the credentials are not repeated in the error", async () => {
    const told = await fetchText("http://user:hunter2@example.com/", {}).catch((error: Error) => error.message);
    expect(told).toContain("example.com");
    expect(told).not.toContain("hunter2");
  });

  it.each([22, 25, 53, 110, 143, 465, 587, 993])("port %i of a public host", async (port) => {
    await expectRefused(`http://example.com:${port}/`, { resolve: resolving("93.184.216.34") }, /^refused_target$/);
  });
});

describe("ranges", () => {
  it.each([
    ["unspecified", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private 10", "10.0.0.1"],
    ["private 172.16", "172.31.255.255"],
    ["private 192.168", "192.168.0.1"],
    ["shared", "100.64.0.1"],
    ["loopback", "127.255.255.254"],
    ["link-local", "169.254.0.1"],
    ["metadata of most clouds", "169.254.169.254"],
    ["metadata of Alibaba", "100.100.100.200"],
    ["metadata of Azure", "168.63.129.16"],
    ["metadata of Oracle", "192.0.0.192"],
    ["metadata of AWS over IPv6", "fd00:ec2::254"],
    ["documentation", "203.0.113.1"],
    ["benchmarks", "198.18.0.1"],
    ["6to4 relays", "192.88.99.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["IPv6 unspecified", "::"],
    ["IPv6 loopback", "::1"],
    ["IPv6 link-local", "fe80::1"],
    ["IPv6 with a zone", "fe80::1%lo"],
    ["IPv6 public with a zone", "2606:4700:4700::1111%lo"],
    ["IPv6 unique local", "fc00::1"],
    ["IPv6 site-local", "fec0::1"],
    ["IPv6 multicast", "ff02::1"],
    ["IPv6 documentation", "2001:db8::1"],
    ["IPv6 discard", "100::1"],
    ["IPv6 unassigned", "4000::1"],
    ["IPv4-compatible", "::127.0.0.1"],
    ["IPv4-mapped", "::ffff:10.0.0.1"],
    ["IPv4-translated", "::ffff:0:127.0.0.1"],
    ["NAT64", "64:ff9b::a00:1"],
    ["NAT64, local prefix", "64:ff9b:1::808:808"],
    ["6to4", "2002:7f00:1::"],
    ["6to4 of a public address", "2002:808:808::"],
    ["Teredo", "2001:0:808:808::1"],
    ["ISATAP", "2606:4700::5efe:7f00:1"],
    ["ISATAP, universal", "2606:4700::200:5efe:a00:1"],
    ["ISATAP of a public address, unique local", "fc00::5efe:808:808"],
    ["ISATAP of a public address, link-local", "fe80::200:5efe:808:808"],
    ["malformed", "not an address"],
  ])("%s (%s) is refused, in DNS and, if it is valid there, in a URL", async (_, address) => {
    expect(refusedRange(address)).not.toBeNull();
    await expectRefused("http://named.example/", { resolve: resolving(address) }, /^refused_target$/);
    const host = address.includes(":") ? `[${address}]` : address.replaceAll(" ", "-");
    if (/^[\d.[\]:a-f]+$/.test(host)) await expectRefused(`http://${host}/`, {}, /^refused_target$/);
  });

  it.each([
    "8.8.8.8",
    "93.184.216.34",
    "2606:4700:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2606:4700::5efe:808:808",
  ])("%s is public", (address) => {
    expect(refusedRange(address)).toBeNull();
  });
});

describe("the allow-list", () => {
  it.each([
    "http://a.example",
    "a.example/x",
    "a b",
    "user@a.example",
    "a.example:0",
    "a.example:99999",
    "[::1",
    "a:b:c",
  ])("%s is not a valid entry", (entry) => {
    expect(() => new PageFetcher({ allow: [entry] })).toThrow(/is not a host/);
  });
});
