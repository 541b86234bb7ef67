/**
 * `cairn migrate-store`: copies all conversations, or those of a tenant, to another store: from the data folder to a
 * cluster, back, or between clusters, with the users' spending. The source store is not changed. In the end, both
 * stores are read and compared byte for byte.
 */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { type ConversationKey, copyStore, type SpentMinute, scopeKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { type OpenedStore, openStore, type Settings } from "cairn-agent/process";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT, usageError } from "../command/exit-code.ts";
import { doLongWork, type Progress } from "../command/long-work.ts";
import { openData } from "../command/open-data.ts";
import { writeJson } from "../command/terminal.ts";

export const migrateStore: Command = {
  summary: "copy all conversations to another store, and check the copy",
  usage: [
    "migrate-store --to <store> [--blobs <place>] [--tenant <name>] [--json]",
    "",
    "  --to <store>     postgres://user:password@host:5432/database, or a folder for an embedded store",
    "  --blobs <place>  with a database: s3://bucket/prefix?endpoint=…&region=…, or a folder that all machines share;",
    "                   default: CAIRN_BLOBS_URL",
    "  --tenant <name>  copy only the conversations of this tenant",
    "  --json           print the result as one JSON line",
    "",
    "Copies from the store that the settings name (CAIRN_DATA_DIR, or CAIRN_DATABASE_URL). Stop servers and workers first.",
    "If interrupted, run it again: it skips what was already copied. The users' spending is copied too.",
  ].join("\n"),
  run: async (args, terminal) => {
    const { values } = readArgs(args, {
      to: { type: "string" },
      blobs: { type: "string" },
      tenant: { type: "string" },
      json: { type: "boolean" },
    });
    if (values.to === undefined) throw usageError("--to is missing. Name the store to copy to.");
    await using data = await openData(terminal);
    const target = targetOf(data.settings, values.to, values.blobs, terminal.cwd);
    const to = await openStore(target);
    try {
      const stores = { from: data.store, to, tenant: values.tenant };
      const report = await doLongWork(terminal, "Copying", (progress, signal) => copy(stores, progress, signal));
      const checked = await doLongWork(terminal, "Comparing", (progress, signal) => compare(stores, progress, signal));
      if (values.json === true) writeJson(terminal.stdout, { ...report, checked });
      else
        terminal.stdout.write(
          `Copied ${report.copied} conversations; ${report.there} already existed; ${checked} are identical in both stores\n`,
        );
      return EXIT.ok;
    } finally {
      await to.close();
    }
  },
};

function targetOf(settings: Settings, to: string, blobs: string | undefined, cwd: string): Settings {
  const isDatabase = /^postgres(ql)?:\/\//.test(to);
  if (!isDatabase && blobs !== undefined) throw usageError("--blobs can only be used with a database.");
  const target = isDatabase
    ? { ...settings, database: to, blobs: blobsOf(blobs ?? settings.blobs, cwd) }
    : { ...settings, database: null, blobs: null, dataDir: resolve(cwd, to) };
  const isSame =
    target.database === settings.database && (target.database !== null || target.dataDir === settings.dataDir);
  if (isSame) throw usageError("--to names the store that the conversations are already in. Name another store.");
  return target;
}

function blobsOf(given: string | null, cwd: string): string {
  if (given === null) throw usageError("--blobs is missing. Name a place for files that all machines share.");
  return given.startsWith("s3:") ? given : resolve(cwd, given);
}

interface Migration {
  readonly from: OpenedStore;
  readonly to: OpenedStore;
  readonly tenant: string | undefined;
}

async function copy({ from, to, tenant }: Migration, { report }: Progress, signal: AbortSignal) {
  const total = (await keysOf(from, tenant, signal)).length;
  let done = 0;
  const onConversation = () => report(++done, total, "conversations");
  return await copyStore(from, to, { signal, onConversation, ...(tenant === undefined ? {} : { tenant }) });
}

async function keysOf(store: OpenedStore, tenant: string | undefined, signal: AbortSignal): Promise<ConversationKey[]> {
  const keys = await Array.fromAsync(store.conversations({ signal }));
  return keys.filter((key) => tenant === undefined || key.tenant === tenant);
}

/** Throws `corrupt` at the first difference; returns the number of conversations. */
async function compare({ from, to, tenant }: Migration, { report }: Progress, signal: AbortSignal): Promise<number> {
  await compareSpending({ from, to, tenant }, signal);
  const keys = await keysOf(from, tenant, signal);
  let done = 0;
  for (const key of keys) {
    const [ours, theirs] = await Promise.all([hashOf(from, key, signal), hashOf(to, key, signal)]);
    if (ours !== theirs)
      throw new CairnError(
        "corrupt",
        `${key.conversation} differs between the stores. It may have been changed during the copy. Delete it in the new store and copy again.`,
        { ...key },
      );
    report(++done, keys.length, "conversations");
  }
  return done;
}

async function hashOf(store: OpenedStore, key: ConversationKey, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of store.exportConversation(key, { signal })) hash.update(chunk);
  return hash.digest("hex");
}

/** The target store may have more spending, because users may already work there. */
async function compareSpending({ from, to, tenant }: Migration, signal: AbortSignal): Promise<void> {
  const minuteOf = ({ scope, at }: SpentMinute) => `${scopeKey(scope)} ${at}`;
  const theirs = new Map<string, SpentMinute>();
  for await (const minute of to.spentMinutes({ signal })) theirs.set(minuteOf(minute), minute);
  for await (const minute of from.spentMinutes({ signal })) {
    if (tenant !== undefined && minute.scope.tenant !== tenant) continue;
    const copied = theirs.get(minuteOf(minute));
    if (copied === undefined || copied.tokens < minute.tokens || copied.dollars < minute.dollars)
      throw new CairnError(
        "corrupt",
        `The recorded spending of ${minute.scope.user} was not copied. Run the command again.`,
        {
          ...minute.scope,
        },
      );
  }
}
