/** Valid configurations, and the errors for invalid ones. */
import { describe, expect, it } from "vitest";
import { parseMcpConfig } from "./mcp-config.ts";

describe("a configuration", () => {
  it.each([
    ["no object", null, /an object/],
    ["a bad name", { "a.b": { command: "x", allow: "all" } }, /"a\.b" is not a valid name/],
    ["a server of no kind", { a: { allow: "all" } }, /MCP server a: command/],
    ["no word on what is allowed", { a: { command: "x" } }, /MCP server a: allow/],
    ["an address that is none", { a: { url: "ftp://x", allow: "all" } }, /MCP server a: url/],
    ["a setting nobody knows", { a: { command: "x", allow: "all", sandbox: true } }, /sandbox/],
  ])("with %s is refused with one line", (_, config, message) => {
    expect(() => parseMcpConfig(config)).toThrow(message);
  });
});
