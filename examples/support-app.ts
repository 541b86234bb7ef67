/** A support agent for two shops, and sessions by cookie. `support-hono.ts` and `support-express.ts` mount it. */
import { randomBytes } from "node:crypto";
import { agent, createCairn, type Scope, tool } from "cairn-agent";
import { z } from "zod";

const ORDERS: Readonly<Record<string, { readonly tenant: string; readonly cents: number }>> = {
  A1: { tenant: "acme", cents: 4_200 },
  B1: { tenant: "bloom", cents: 900 },
};

/** An order of the caller's own shop. Another shop's order is not found, so nobody learns that it exists. */
function findOrder(id: string, { tenant }: Scope) {
  const found = Object.hasOwn(ORDERS, id) ? ORDERS[id] : undefined;
  return found?.tenant === tenant ? found : undefined;
}

const refund = tool({
  name: "refund",
  description: "Refunds an order of the shop.",
  input: z.object({ order: z.string() }),
  // The scope is the session's. Even if a message tricks the model, another shop's order is not found.
  approval: ({ order }, { scope }) => (findOrder(order, scope)?.cents ?? 0) > 1_000,
  run: ({ order }, { scope }) => {
    const found = findOrder(order, scope);
    if (found === undefined) throw new Error(`There is no order ${order}.`);
    return { refunded: found.cents };
  },
});

// The offline model does not call `refund`: set CAIRN_MODEL to a language model, or see `recipes/rules-model.ts`.
const { CAIRN_MODEL: model = "offline", CAIRN_DATA_DIR: store = "./.cairn" } = process.env;

export const cairn = await createCairn({
  agents: [agent({ name: "support", model, instructions: "You help the customers of a shop.", tools: [refund] })],
  store,
});

/** A real application asks for a password, and keeps its sessions in its database. */
const USERS: Readonly<Record<string, { readonly tenant: string; readonly inspect?: boolean }>> = {
  ada: { tenant: "acme", inspect: true },
  bob: { tenant: "bloom" },
};
const sessions = new Map<string, string>();

/** The cookie of a new session; null for an unknown user. `SameSite` and the handler's check of `Origin` stop CSRF. */
export function signIn(user: string): string | null {
  if (!Object.hasOwn(USERS, user)) return null;
  const id = randomBytes(24).toString("base64url");
  sessions.set(id, user);
  return `session=${id}; HttpOnly; SameSite=Lax; Path=/`;
}

/** A request may use the conversations of the user of its session. */
export function accessOf(request: Request) {
  const [, id = ""] = /(?:^|; )session=([\w-]+)/.exec(request.headers.get("cookie") ?? "") ?? [];
  const user = sessions.get(id);
  const known = user === undefined ? undefined : USERS[user];
  return user === undefined || known === undefined ? null : { ...known, user };
}
