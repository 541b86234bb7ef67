import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import { problem, usualProblems } from "../definition/problem.ts";

const tag = "MCP servers";
const serverParams = z.object({ server: z.string().min(1).max(40) });
const promptParams = serverParams.extend({ prompt: z.string().min(1).max(200) });

const problems = {
  ...usualProblems,
  502: problem("The MCP server or its authorization server failed, or rejected the request."),
} as const;

const serverSchema = z.object({
  server: z.string(),
  takes_login: z.boolean().describe("Whether users can log in at the server"),
  logged_in: z.boolean(),
  needs_login: z.boolean().describe("Whether the server offers the user no tools without a login"),
  tools: z.number().int().describe("Number of tools that the server offers the user"),
  problems: z.array(z.string()),
});
export type ListedMcpServer = Data<typeof serverSchema>;

const promptSchema = z.object({
  server: z.string(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
});
export type ListedPrompt = Data<typeof promptSchema>;

const filledSchema = z.object({
  text: z.string(),
  files: z.array(z.object({ name: z.string(), mime: z.string(), data: z.string().describe("Base64") })),
});
export type FilledPrompt = Data<typeof filledSchema>;

export const listMcpServers = defineEndpoint({
  method: "get",
  path: "/api/mcp",
  tag,
  summary: "Lists the MCP servers of the agents, as the user can use them",
  answers: {
    200: {
      description: "The servers, in the order of the configuration.",
      schema: z.object({ servers: z.array(serverSchema) }),
    },
    ...problems,
  },
});

export const beginMcpLogin = defineEndpoint({
  method: "post",
  path: "/api/mcp/{server}/login",
  tag,
  summary: "Begins the user's login at a server",
  params: serverParams,
  answers: {
    200: {
      description:
        "The address of the login page. It sends the user back to `/mcp-login` of this server. Null if the server requires no login.",
      schema: z.object({ address: z.string().nullable() }),
    },
    ...problems,
  },
});

export const finishMcpLogin = defineEndpoint({
  method: "post",
  path: "/api/mcp/{server}/login/finish",
  tag,
  summary: "Finishes the login that the user has begun",
  params: serverParams,
  body: z.object({ parameters: z.string().min(1).max(10_000).describe("The query of the redirect") }),
  answers: { 200: { description: "The user is logged in.", schema: z.object({ server: z.string() }) }, ...problems },
});

export const endMcpLogin = defineEndpoint({
  method: "delete",
  path: "/api/mcp/{server}/login",
  tag,
  summary: "Deletes the user's login at a server",
  params: serverParams,
  answers: { 204: { description: "The login was deleted." }, ...problems },
});

export const listPrompts = defineEndpoint({
  method: "get",
  path: "/api/mcp/prompts",
  tag,
  summary: "Lists the prompts of the MCP servers",
  answers: {
    200: {
      description: "The prompts, sorted by server and then by name.",
      schema: z.object({ prompts: z.array(promptSchema) }),
    },
    ...problems,
  },
});

export const fillPrompt = defineEndpoint({
  method: "post",
  path: "/api/mcp/{server}/prompts/{prompt}",
  tag,
  summary: "Fills in a prompt",
  params: promptParams,
  body: z.object({ arguments: z.record(z.string().max(200), z.string().max(20_000)).default({}) }),
  answers: {
    200: {
      description: "The message of the prompt. Nothing is sent yet: the user sends it as a message, with `prompt`.",
      schema: filledSchema,
    },
    ...problems,
  },
});
