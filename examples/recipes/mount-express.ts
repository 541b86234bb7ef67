import { createHandler, toNode } from "@cairn/server/handler";
import { agent, createCairn } from "cairn-agent";
import express from "express";

const cairn = await createCairn({ agents: [agent({ name: "support", instructions: "You help customers." })] });
const app = express();

/** Replace this with your session middleware, such as `express-session`, which adds `session` to a request. */
interface SignedIn extends express.Request {
  session?: { readonly shop: string; readonly user: string };
}
app.use((request: SignedIn, _response, next) => {
  const user = request.get("x-user");
  if (user !== undefined) request.session = { shop: "acme", user };
  next();
});

const handler = createHandler<{ readonly incoming: SignedIn }>(cairn, {
  prefix: "/support",
  // `incoming` is the request of Express, including the fields that middleware has added.
  authenticate: (_request, { incoming: { session } }) =>
    session === undefined ? null : { tenant: session.shop, user: session.user },
});
app.use("/support", toNode(handler));
app.use(express.json());
app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
