import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { ChangeFeed } from "./change-feed.ts";
import { Database } from "./database.ts";

it("wakes whoever waits when the database cannot be asked, instead of ending the process", async () => {
  const connection = new DatabaseSync(":memory:");
  const feed = new ChangeFeed(new Database(connection, 1), 1);
  const waiting = feed.wait(feed.mark(), undefined);
  connection.close();
  expect(await waiting).toBe(true);
  feed.close();
});
