/**
 * The API of a chat as a route of Next.js: save this file as `app/api/[...path]/route.ts`. `useChat` finds it at
 * `/api/chat`, and the page loads the history of a conversation from `/api/chat/<id>`.
 */
import { createHandler } from "@cairn/server/handler";
import { agent, createCairn } from "cairn-agent";

const { CAIRN_MODEL: model = "offline", CAIRN_DATA_DIR: store = "./.cairn" } = process.env;
const cairn = await createCairn({ agents: [agent({ name: "chat", model, instructions: "You help." })], store });
const handler = createHandler(cairn, {
  // Everyone is the same user. Return the user of the session instead, or null for a request without one.
  authenticate: () => ({ tenant: "local", user: "me" }),
});

export const GET = handler.fetch;
export const POST = handler.fetch;
export const PATCH = handler.fetch;
export const DELETE = handler.fetch;
