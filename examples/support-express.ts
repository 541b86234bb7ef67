/** The support agent in an Express application, below /support. */
import type { AddressInfo } from "node:net";
import { createHandler, toNode } from "@cairn/server/handler";
import express from "express";
import { accessOf, cairn, signIn } from "./support-app.ts";

const app = express();
app.post("/sign-in/:user", (request, response) => {
  const cookie = signIn(request.params.user);
  if (cookie === null) response.status(401).send("Unknown user");
  else response.set("set-cookie", cookie).send("Hello");
});
// Before middleware such as express.json(), which would read the bodies.
app.use("/support", toNode(createHandler(cairn, { prefix: "/support", authenticate: accessOf })));

const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.once("SIGTERM", () => {
  server.close();
  void cairn.close().then(() => process.exit());
});
