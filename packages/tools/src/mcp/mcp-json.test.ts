import { describe, expect, it } from "vitest";
import { parseMcpConfig } from "./mcp-config.ts";
import { readMcpJson } from "./mcp-json.ts";

const v = (name: string) => `\${${name}}`;
const read = (mcpServers: object, env = {}) => readMcpJson(JSON.stringify({ mcpServers }), env, ".mcp.json");

describe(".mcp.json", () => {
  it("lists servers as other programs write them; all tools are allowed, and a person approves every call", () => {
    const servers = read(
      {
        files: {
          type: "stdio",
          command: "npx",
          args: ["-y", "files", `${v("HOME")}/docs`],
          env: { KEY: v("KEY:-none") },
        },
        "my shop": { type: "http", url: `${v("SHOP")}/mcp`, headers: { authorization: `Bearer ${v("TOKEN")}` } },
        "2nd": { command: "second", allow: ["read"], approval: "never" },
        off: { command: "off", disabled: true },
      },
      { HOME: "/home/ada", SHOP: "https://shop.example", TOKEN: "t" },
    );
    expect(Object.keys(servers)).toEqual(["files", "my_shop", "s_2nd"]);
    const parsed = Object.fromEntries(parseMcpConfig(servers));
    expect(parsed.files).toMatchObject({
      command: "npx",
      args: ["-y", "files", "/home/ada/docs"],
      env: { KEY: "none" },
      allow: "all",
      approval: "always",
    });
    expect(parsed.my_shop).toMatchObject({ url: "https://shop.example/mcp", headers: { authorization: "Bearer t" } });
    expect(parsed.s_2nd).toMatchObject({ allow: ["read"], approval: "never" });
  });

  it("may have comments, fields of other programs and of the other kind of server, and names that become equal", () => {
    const text = `\uFEFF{ // The shop
      "mcpServers": {
        "my shop": { "url": "https://a.example/mcp", /* none */ "args": [], "env": {},
          "oauth": { "clientId": "c", "callbackPort": 8080, "scopes": "a b", "authServerMetadataUrl": "https://i.example" } },
        "my_shop": { "type": "stdio", "command": "say", "args": ["// no, comment", ",]"], "headers": {}, "url": "" },
      },
    }`;
    const parsed = [...parseMcpConfig(readMcpJson(text, {}, "/home/ada/.mcp.json"))];
    expect(parsed).toEqual([
      [
        "my_shop",
        expect.objectContaining({
          url: "https://a.example/mcp",
          oauth: { client_id: "c", redirect_port: 8080, scope: "a b" },
        }),
      ],
      [
        expect.stringMatching(/^my_shop_[0-9a-f]{8}$/),
        expect.objectContaining({ command: "say", args: ["// no, comment", ",]"] }),
      ],
    ]);
  });

  it.each([
    ["no JSON", "{", "is not valid JSON"],
    ["no servers", "{}", "mcpServers"],
    ["a missing variable", `{"mcpServers":{"a":{"command":"${v("NONE")}"}}}`, "the variable NONE is not set"],
  ])("with %s is refused, and the message names the file", (_, text, message) => {
    const refusal = expect.objectContaining({ code: "bad_mcp_config", message: expect.stringContaining(message) });
    expect(() => readMcpJson(text, {}, "/home/ada/.mcp.json")).toThrow(refusal);
    expect(() => readMcpJson(text, {}, "/home/ada/.mcp.json")).toThrow("/home/ada/.mcp.json");
  });
});
