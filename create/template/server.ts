/** Serves the page and the API that it uses. Conversations are in `./.cairn`, in one SQLite file. */
import { createServer } from "node:http";
import { createHandler, toNode } from "@cairn/server/handler";
import { createCairn } from "cairn-agent";
import { makeAgent } from "./agent.ts";

const cairn = await createCairn({ agents: [makeAgent()] });
const handler = createHandler(cairn, {
  // Everyone is the same user. Return the user of the session instead, or null for a request without one.
  authenticate: () => ({ tenant: "local", user: "me" }),
  webFolder: "dist",
});

const server = createServer(toNode(handler));
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(`http://127.0.0.1:${address.port}`);
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    server.close();
    void cairn.close().then(() => process.exit());
  });
