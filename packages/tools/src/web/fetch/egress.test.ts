import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseEgress } from "./egress.ts";
import { PageFetcher } from "./page-fetcher.ts";

const isReachable = (only: string, url: string) => parseEgress(only)(new URL(url));

describe("the hosts that an operator allows", () => {
  it.each([
    ["", "https://example.com/", true],
    ["example.com", "https://example.com/", true],
    ["example.com", "https://EXAMPLE.com./", true],
    ["example.com", "https://www.example.com/", false],
    ["example.com:8080", "https://example.com/", false],
    ["*.example.com", "https://a.b.example.com/", true],
    ["*.example.com", "https://example.com/", false],
    ["*.example.com", "https://badexample.com/", false],
    ["*.example.com", "https://example.com.evil.net/", false],
    ["wiki.org, *.bücher.de", "https://www.xn--bcher-kva.de/", true],
  ])("%j: %s is fetched: %s", (only, url, reachable) => expect(isReachable(only, url)).toBe(reachable));

  it.each(["*.", "*.a/b", "http://a.b", "*.*.com"])("%j is not a host", (entry) => {
    expect(() => parseEgress(entry)).toThrow(expect.objectContaining({ code: "bad_allow_list" }));
  });
});

describe("a fetch limited to some hosts", () => {
  const hits: string[] = [];
  const elsewhere = createServer((request, answer) => {
    hits.push(request.url ?? "");
    answer.setHeader("content-type", "text/plain").end("elsewhere");
  });
  const home = createServer((_, answer) => {
    answer.writeHead(302, { location: `http://localhost:${portOf(elsewhere)}/leak?secret` }).end();
  });
  const portOf = (server: typeof home) => (server.address() as AddressInfo).port;
  const listen = (server: typeof home) => new Promise<void>((done) => server.listen(0, "127.0.0.1", done));

  beforeAll(async () => {
    await Promise.all([listen(home), listen(elsewhere)]);
  });
  afterAll(() => {
    home.close();
    elsewhere.close();
  });

  it("reaches no other host, not even by a redirect", async () => {
    const fetcher = new PageFetcher({ refuses: () => null, only: `127.0.0.1:${portOf(home)}` });
    const { signal } = new AbortController();
    for (const url of [`http://localhost:${portOf(elsewhere)}/`, `http://127.0.0.1:${portOf(home)}/`])
      await expect(fetcher.fetch(url, { signal })).rejects.toMatchObject({ code: "refused_target" });
    expect(hits).toEqual([]);
    await fetcher.close();
  });
});
