import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { Database } from "./database.ts";
import { PollingFeed } from "./polling-feed.ts";
import { MIGRATIONS } from "./schema.ts";

function openFeed() {
  const connection = new DatabaseSync(":memory:");
  for (const migration of MIGRATIONS) connection.exec(migration);
  connection.exec("INSERT INTO scopes VALUES (1, 't', 'p', 'u')");
  for (let id = 1; id <= 3; id++)
    connection.exec(
      `INSERT INTO conversations (id, scope, conversation, attributes, created_at, last_activity_at, last_seq)
        VALUES (${id}, 1, '${id}', '{}', 0, 0, 5)`,
    );
  return { connection, feed: new PollingFeed(new Database(connection, 1), 1) };
}

it("wakes followers when the database cannot answer, instead of ending the process", async () => {
  const { connection, feed } = openFeed();
  const waiting = feed.wait(1, 5, undefined);
  connection.close();
  expect(await waiting).toBe(true);
  feed.close();
});

it("wakes the followers of conversations that have new events or were deleted, and no others", async () => {
  const { connection, feed } = openFeed();
  const woken: number[] = [];
  for (const id of [1, 2, 3]) void feed.wait(id, 5, undefined).then((goesOn) => goesOn && woken.push(id));
  await feed.wait(1, 4, undefined); // There are new events already.
  connection.exec("UPDATE conversations SET last_seq = 6 WHERE id = 2; DELETE FROM conversations WHERE id = 3");
  feed.notifyConcerned();
  await new Promise((wake) => setTimeout(wake, 20));
  expect(woken).toEqual([2, 3]);
  feed.notify(1);
  await new Promise((wake) => setTimeout(wake, 20));
  expect(woken).toEqual([2, 3, 1]);
  feed.close();
  connection.close();
});
