import { growthOnDoubling } from "@cairn/testkit/growth";
import { expect, test } from "vitest";
import { normaliseUrl, sourceIdentity } from "./identity.ts";

test.each([
  ["HTTPS://EXAMPLE.com/a/?utm_source=x#frag", "https://example.com/a"],
  ["https://example.com:443/a", "https://example.com/a"],
  ["http://example.com:443/a", "http://example.com:443/a"],
  ["https://example.com", "https://example.com/"],
  ["https://example.com/", "https://example.com/"],
  ["https://example.com/?", "https://example.com/"],
  ["https://example.com//", "https://example.com/"],
  ["https://example.com/a//", "https://example.com/a/"],
  ["https://example.com/a/?b=1", "https://example.com/a?b=1"],
  ["https://e.com/?z=1&UTM_Medium=x&a=%7E~&gclid=1&a=2&fbclid", "https://e.com/?z=1&a=%7E~&a=2"],
  ["https://e.com/?gclid=1&fbclid=2", "https://e.com/"],
  ["https://e.com/?utm=1&gclidx=2&autm_x=3", "https://e.com/?utm=1&gclidx=2&autm_x=3"],
  ["https://e.com/?a=1+2%20&&b", "https://e.com/?a=1+2%20&&b"],
  ["https://User:Pw@E.com/A", "https://User:Pw@e.com/A"],
  ["https://www.e.com/a", "https://www.e.com/a"],
  ["foo://HOST/a/", "foo://host/a"],
  ["mailto:a@b.c", "mailto:a@b.c"],
  ["  https://e.com/a\n", "https://e.com/a"],
  ["https://bücher.example/", "https://xn--bcher-kva.example/"],
])("%s is %s", (url, normalised) => {
  expect(normaliseUrl(url)).toBe(normalised);
});

test.each(["not a url", "/a/b", "http://", "https://e.com:99999/", "\ud800"])("%j is its own identity", (url) => {
  expect(sourceIdentity({ url })).toBe(url);
});

test("a file is known by its physical path, whatever its URL", () => {
  expect(sourceIdentity({ physical_path: "turn_1/files/a", url: "https://e.com" })).toBe("local:turn_1/files/a");
});

test("a URL that spells local: is not the file of that name", () => {
  expect(sourceIdentity({ url: "local:turn_1/files/a" })).not.toBe(sourceIdentity({ physical_path: "turn_1/files/a" }));
});

test("a row with neither file nor URL has no identity", () => {
  for (const row of [{}, { title: "a" }, { url: "" }, { url: null }, { url: 7 }])
    expect(sourceIdentity(row)).toBeNull();
});

test("a long query takes linear time", { retry: 4 }, () => {
  const growth = growthOnDoubling((size) => `https://e.com/?${"utm_a=1&b=2&".repeat(size)}`, normaliseUrl, 5_000);
  expect(growth).toBeLessThan(3);
});
