/** The requests to search services, and the errors when they refuse. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SEARCHED_DOCUMENTS, SERVICE_KEY, SearchService } from "@cairn/testkit/search";
import { describe, expect, it } from "vitest";
import { braveSearch } from "./brave.ts";
import type { SearchProvider } from "./search-provider.ts";
import { searxngSearch } from "./searxng.ts";
import { tavilySearch } from "./tavily.ts";

const signal = new AbortController().signal;
const ask = (provider: SearchProvider, query = "cairn") =>
  provider.search({ query, n: 5, freshness: "week" }, { signal });

describe("a request", () => {
  it("goes to SearXNG as JSON with a time range, and reports engines that did not answer", async () => {
    await using service = await SearchService.start("searxng", SEARCHED_DOCUMENTS);
    const { warnings } = await ask(searxngSearch({ url: `${service.baseUrl}/` }));
    expect(new URL(service.requests[0]?.url ?? "").search).toBe("?q=cairn&format=json&pageno=1&time_range=week");
    expect(warnings).toEqual(["Some engines did not answer: sleepy."]);
  });

  it("goes to SearXNG below the path of its instance", async () => {
    await using service = await SearchService.start("searxng", SEARCHED_DOCUMENTS);
    await expect(ask(searxngSearch({ url: `${service.baseUrl}/searx` }))).rejects.toMatchObject({
      code: "search_refused",
    });
    expect(new URL(service.requests[0]?.url ?? "").pathname).toBe("/searx/search");
  });

  it("goes to Brave with its key and freshness, cut to the maximum length", async () => {
    await using service = await SearchService.start("brave", SEARCHED_DOCUMENTS);
    await ask(braveSearch({ apiKey: SERVICE_KEY, baseUrl: service.baseUrl }), "cairn ".repeat(200));
    const url = new URL(service.requests[0]?.url ?? "");
    expect(url.searchParams.get("freshness")).toBe("pw");
    expect(url.searchParams.get("count")).toBe("5");
    expect(url.searchParams.get("q")?.split(" ").length).toBe(50);
  });

  it("returns pages only", async () => {
    const urls = ["javascript:alert(1)", "not an address", "magnet:?xt=1", "https://ok.example/"];
    let nth = 0;
    const documents = urls.map((name) => ({ name, title: "cairn", text: "cairn", age: 0 }));
    await using service = await SearchService.start("searxng", documents, () => urls[nth++] ?? "");
    const { hits } = await ask(searxngSearch({ url: service.baseUrl }));
    expect(hits.map(({ url }) => url)).toEqual(["https://ok.example/"]);
  });

  it("goes to Tavily with its key as a bearer", async () => {
    await using service = await SearchService.start("tavily", SEARCHED_DOCUMENTS);
    await ask(tavilySearch({ apiKey: SERVICE_KEY, baseUrl: service.baseUrl }));
    expect(JSON.parse(service.requests[0]?.body ?? "")).toEqual({
      query: "cairn",
      max_results: 5,
      search_depth: "basic",
      time_range: "week",
    });
  });
});

describe("a refusal says what to do", () => {
  it("a key that is not accepted", async () => {
    await using service = await SearchService.start("brave", SEARCHED_DOCUMENTS);
    const provider = braveSearch({ apiKey: "wrong", baseUrl: service.baseUrl });
    const error = await ask(provider).catch((reason: Error) => reason);
    expect(error).toMatchObject({
      code: "search_refused",
      message: expect.stringContaining("does not accept the key"),
    });
    expect(String(error)).not.toContain("wrong");
  });

  it.each([
    [429, /too many searches/],
    [500, /status 500/],
  ])("status %i", async (status, message) => {
    await using service = await SearchService.start("tavily", SEARCHED_DOCUMENTS);
    service.failWith = status;
    const provider = tavilySearch({ apiKey: SERVICE_KEY, baseUrl: service.baseUrl });
    await expect(ask(provider)).rejects.toMatchObject({
      code: "search_refused",
      message: expect.stringMatching(message),
    });
  });

  it("an instance of SearXNG that does not allow JSON", async () => {
    await using service = await SearchService.start("searxng", SEARCHED_DOCUMENTS);
    service.failWith = 403;
    await expect(ask(searxngSearch({ url: service.baseUrl }))).rejects.toThrow(/Add json to search.formats/);
  });

  it.each([
    ["nobody", null, /cannot be reached at http:\/\/127\.0\.0\.1:1/],
    ["a page", "<html>", /not JSON/],
    ["another API", '{"results":"many"}', /unexpected form/],
  ])("an answer of %s", async (_, body, message) => {
    const server = createServer((_, answer) => answer.end(body));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const port = body === null ? 1 : (server.address() as AddressInfo).port;
    try {
      await expect(ask(searxngSearch({ url: `http://127.0.0.1:${port}` }))).rejects.toMatchObject({
        code: "search_failed",
        message: expect.stringMatching(message),
      });
    } finally {
      server.close();
    }
  });
});
