import { expect, test } from "vitest";
import { addressOf, listConversations, readFile, readRequest } from "../index.ts";

test("the parameters of a path are encoded, and a file keeps its slashes", () => {
  expect(addressOf(readRequest, { id: "a/b?c", n: 3 })).toBe("/api/conversations/a%2Fb%3Fc/requests/3");
  expect(addressOf(readFile, { id: "c1", path: "files/my notes.md" })).toBe(
    "/api/conversations/c1/files/files/my%20notes.md",
  );
});

test("a query contains the given values only", () => {
  expect(addressOf(listConversations, {}, { q: "a b&c", cursor: undefined, limit: 5 })).toBe(
    "/api/conversations?q=a+b%26c&limit=5",
  );
  expect(addressOf(listConversations, {}, { q: undefined })).toBe("/api/conversations");
});
