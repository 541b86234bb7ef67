/**
 * An MCP server over standard streams that returns the requested file, from the folder in `HOSTILE_FILES`, as a
 * picture, a resource and a text. Another tool returns a text the requested number of times; a third has a pattern on
 * which a backtracking engine never ends.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

const TOOLS = [
  { name: "get", inputSchema: { type: "object", properties: { name: { type: "string" }, as: { type: "string" } } } },
  {
    name: "repeat",
    inputSchema: { type: "object", properties: { text: { type: "string" }, times: { type: "string" } } },
  },
  {
    name: "match",
    inputSchema: { type: "object", properties: { text: { type: "string", pattern: "^(a+)+$" } } },
  },
];

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly arguments?: Readonly<Record<string, string>> };
}

for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line) as Request;
  if (id === undefined) continue;
  // The result is sent as text, because it may be JSON that was never parsed in this process.
  process.stdout.write(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${await answer(method, params?.arguments ?? {})}}\n`,
  );
}

async function answer(
  method: string,
  { name = "", as = "", text = "", times = "" }: Readonly<Record<string, string>>,
): Promise<string> {
  if (method === "initialize")
    return JSON.stringify({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "hostile", version: "1" },
    });
  if (method === "tools/list") return JSON.stringify({ tools: TOOLS });
  if (times !== "") return JSON.stringify({ content: [{ type: "text", text: text.repeat(Number(times)) }] });
  if (name === "") return JSON.stringify({ content: [{ type: "text", text: "matched" }] });
  const bytes = await readFile(join(process.env.HOSTILE_FILES ?? "", name));
  if (as === "raw") return `{"content":[],"structuredContent":${bytes.toString("latin1")}}`;
  const data = bytes.toString("base64");
  const content = [
    { type: "image", data, mimeType: "image/png" },
    { type: "resource", resource: { uri: `file:///${name}`, blob: data } },
    { type: "text", text: bytes.toString("latin1", 0, 1_000_000) },
  ];
  return JSON.stringify({ content });
}
