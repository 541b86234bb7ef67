import { createHandler } from "@cairn/server/handler";
import { serve } from "@hono/node-server";
import { agent, createCairn } from "cairn-agent";
import { Hono } from "hono";

const cairn = await createCairn({ agents: [agent({ name: "support", instructions: "You help customers." })] });

/** Replace this with your own sessions. Here a header names the user; a real application checks a cookie or a token. */
async function findSession(request: Request) {
  const user = request.headers.get("x-user");
  return user === null ? null : { shop: "acme", user };
}

const handler = createHandler(cairn, {
  prefix: "/support",
  // The handler calls this function for every request. If the function returns null, the response is 401.
  authenticate: async (request) => {
    const session = await findSession(request);
    return session === null ? null : { tenant: session.shop, user: session.user };
  },
});

const app = new Hono();
app.get("/", (context) => context.text("The rest of the application"));
app.mount("/support", handler.fetch);
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 3000) });
