/**
 * `npm run freeze -- v3`: plays every scenario with the current program, on both back ends, and stores the result in
 * `packages/testkit/frozen/v3`. An existing set is never overwritten.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rebuildRecorded, recordedRequests } from "@cairn/agent";
import { BlobFolder, type ConversationStore, openEmbeddedStore, type StoreMaintenance } from "@cairn/store";
import { openPostgresStore } from "@cairn/store/postgres";
import { installPostgres } from "../store/servers/postgres-binaries.ts";
import { startPostgres } from "../store/servers/postgres-server.ts";
import { type BackEndId, folderOf } from "./frozen-set.ts";
import { type JournalFacts, readFacts } from "./journal-facts.ts";
import { pack, readFolder } from "./pack.ts";
import { dumpDatabase } from "./postgres-rows.ts";
import {
  isLoweredForAll,
  LOWERINGS,
  lowerPast,
  nameOfLowered,
  nameOfUnsent,
  rebuildBody,
  UNSENT_MODEL,
} from "./rebuild.ts";
import { finishedScenarios } from "./scenarios/finished.ts";
import { parkedScenarios } from "./scenarios/parked.ts";
import { PlayedClock } from "./scenarios/played-conversation.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { sinceV1Scenarios } from "./scenarios/since-v1.ts";
import { traceScenarios } from "./scenarios/traces.ts";

const STARTED_AT = Date.UTC(2026, 9, 1, 8);
/** The conversations of the PostgreSQL part: open ones, and those that v1 lacks. All others equal those of SQLite. */
const SHARED: readonly Scenario[] = [...parkedScenarios, ...sinceV1Scenarios];
const SCENARIOS: readonly Scenario[] = [...SHARED, ...finishedScenarios, ...traceScenarios];
const EXPORTED = ["everything-anthropic", "imported", "approval-open", "compaction-committed"];

type Store = ConversationStore & StoreMaintenance;
type Files = Map<string, Uint8Array>;

interface Played {
  readonly files: Files;
  readonly facts: readonly JournalFacts[];
}

const name = process.argv[2] ?? "";
if (!/^v[1-9]\d*$/.test(name)) throw new Error("Give the new set a name: npm run freeze -- v3");
const set = folderOf(name);
if (existsSync(set)) throw new Error(`${name} is frozen already. A set never changes: choose the next name.`);

installPostgres();
/** Every request body that was answered, by its SHA-256. */
const sent = new Map<string, string>();
const exports: Files = new Map();
const lowered: Files = new Map();
const work = mkdtempSync(join(tmpdir(), "cairn-freeze-"));
try {
  const sqlite = await playOnSqlite(join(work, "sqlite"));
  const postgres = await playOnPostgres(join(work, "postgres"));
  const journals = pack(new Map([...filesOf("sqlite", sqlite), ...filesOf("postgres", postgres), ...exports]));
  const requests = pack(new Map([...bodiesOf([...sqlite.facts, ...postgres.facts]), ...lowered]));
  mkdirSync(set, { recursive: true });
  writeFileSync(join(set, "journals.zst"), journals);
  writeFileSync(join(set, "requests.zst"), requests);
  console.log(`${name}: ${sqlite.facts.length} conversations on SQLite, ${postgres.facts.length} on PostgreSQL`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function playOnSqlite(folder: string): Promise<Played> {
  const clock = new PlayedClock();
  const dir = join(folder, "data");
  const store = await openEmbeddedStore({ dir, clock });
  const facts = await playAll(SCENARIOS, store, clock, folder);
  for (const { key } of facts) {
    if (key.tenant === "local" && EXPORTED.includes(key.conversation))
      exports.set(`exports/${key.conversation}`, Buffer.concat(await Array.fromAsync(store.exportConversation(key))));
    if (isLoweredForAll(key)) await lowerAll(store, key);
  }
  await store.close();
  return { files: readFolder(dir), facts };
}

async function playOnPostgres(folder: string): Promise<Played> {
  const clock = new PlayedClock();
  const server = await startPostgres({ sync: false });
  try {
    const url = await server.createDatabase();
    const store = await openPostgresStore({ url, blobs: new BlobFolder(join(folder, "data/blobs"), clock), clock });
    const facts = await playAll(SHARED, store, clock, folder);
    await store.close();
    return { files: new Map([...(await dumpDatabase(url)), ...readFolder(join(folder, "data"))]), facts };
  } finally {
    await server.close();
  }
}

async function playAll(scenarios: readonly Scenario[], store: Store, clock: PlayedClock, folder: string) {
  const onBody = (body: string) => sent.set(createHash("sha256").update(body).digest("hex"), body);
  for (const { name, play } of scenarios) {
    console.error(name);
    // All scenarios begin at the same time, so that content they share is stored only once.
    clock.time = STARTED_AT;
    clock.ahead = 0;
    try {
      await play({ store, clock, folder: join(folder, "out"), onBody });
    } catch (error) {
      throw new Error(`The scenario ${name} failed.`, { cause: error });
    }
  }
  const facts: JournalFacts[] = [];
  for await (const key of store.conversations()) facts.push(await readFacts(store, key));
  return facts.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

async function lowerAll(store: Store, key: JournalFacts["key"]): Promise<void> {
  for await (const request of recordedRequests(store, key)) {
    const past = await rebuildRecorded(store, key, request, (text) => text.length);
    for (const each of LOWERINGS)
      lowered.set(nameOfLowered(key, past.n, each), Buffer.from(await lowerPast(store, key, past, each)));
    const unsent = await rebuildBody(store, key, past, UNSENT_MODEL);
    if (unsent !== null) lowered.set(nameOfUnsent(key, past.n), Buffer.from(unsent));
  }
}

function filesOf(backEnd: BackEndId, { files, facts }: Played): Files {
  const lines = facts.map((each) => `${JSON.stringify(each)}\n`).join("");
  const inFolder = [...files].map(([path, bytes]): [string, Uint8Array] => [`${backEnd}/${path}`, bytes]);
  return new Map([...inFolder, [`${backEnd}.jsonl`, Buffer.from(lines)]]);
}

/** The bodies to which receipts refer. */
function bodiesOf(facts: readonly JournalFacts[]): Files {
  const named = new Set(facts.flatMap(({ requests }) => requests.flatMap(({ body }) => body ?? [])));
  return new Map(
    [...named].map((hash) => {
      const body = sent.get(hash);
      if (body === undefined) throw new Error(`A receipt names the body ${hash}, which was never answered.`);
      return [hash, Buffer.from(body)];
    }),
  );
}

function nameOf({ key }: JournalFacts): string {
  return `${key.tenant} ${key.conversation}`;
}
