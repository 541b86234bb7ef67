/** The support agent in a Hono application, below /support. */
import { createHandler } from "@cairn/server/handler";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { accessOf, cairn, signIn } from "./support-app.ts";

const app = new Hono();
app.post("/sign-in/:user", (context) => {
  const cookie = signIn(context.req.param("user"));
  return cookie === null ? context.text("Unknown user", 401) : context.text("Hello", 200, { "set-cookie": cookie });
});
app.mount("/support", createHandler(cairn, { prefix: "/support", authenticate: accessOf }).fetch);

const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 3000) }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
process.once("SIGTERM", () => {
  server.close();
  void cairn.close().then(() => process.exit());
});
