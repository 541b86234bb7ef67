import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import { usualProblems } from "../definition/problem.ts";

const metaSchema = z.object({
  version: z.string(),
  agents: z.array(z.object({ name: z.string(), model: z.string(), tools: z.array(z.string()) })),
  models: z.array(z.string()).describe("Models that a message may ask for"),
  limits: z.object({ upload_bytes: z.number(), attachments: z.number(), message_chars: z.number() }),
  scope: z.object({ tenant: z.string(), project: z.string(), user: z.string() }),
  mcp_servers: z.number().int().describe("How many MCP servers the agents use"),
  offline: z.boolean(),
  inspect: z
    .boolean()
    .describe("Whether the caller may see internal content: exports, and the endpoints of the inspector"),
});
export type Meta = Data<typeof metaSchema>;

export const readMeta = defineEndpoint({
  method: "get",
  path: "/api/meta",
  tag: "Server",
  summary: "Agents, limits and the caller's scope",
  answers: {
    200: { description: "What a client needs to know before its first message.", schema: metaSchema },
    401: usualProblems[401],
  },
});
