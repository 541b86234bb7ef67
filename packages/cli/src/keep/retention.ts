/** `cairn retention` and `cairn delete-tenant`: delete inactive conversations, and all data of a tenant. */
import { removeLeftWorkspaces } from "cairn-agent/process";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT, usageError } from "../command/exit-code.ts";
import { doLongWork } from "../command/long-work.ts";
import { openData } from "../command/open-data.ts";
import { writeJson } from "../command/terminal.ts";

const DAY_MS = 24 * 3_600_000;

export const retention: Command = {
  summary: "delete conversations that were inactive for a number of days",
  usage:
    "retention --days <n> [--tenant <name>] --yes [--json]\n\n  --days <n>        days without activity after which a conversation is deleted\n  --tenant <name>   only conversations of this tenant\n  --yes             required, because a deletion cannot be undone\n\n  cairn gc then removes their files, and their text from the database file. Run both regularly, for example from cron.",
  run: async (args, terminal) => {
    const { values } = readArgs(args, {
      days: { type: "string" },
      tenant: { type: "string" },
      yes: { type: "boolean" },
      json: { type: "boolean" },
    });
    const days = Number(values.days);
    if (values.days === undefined || !Number.isFinite(days) || days < 0)
      throw usageError("--days is missing, or not a number of days.");
    if (values.yes !== true) throw usageError("A deletion cannot be undone. To delete these conversations, add --yes.");
    const scope = values.tenant === undefined ? {} : { tenant: values.tenant };
    await using data = await openData(terminal);
    const deleted = await doLongWork(terminal, "Deleting", (_, signal) =>
      data.store.applyRetention({ idleMs: Math.floor(days * DAY_MS), scope, signal }),
    );
    await removeLeftWorkspaces(data.settings.dataDir, data.store);
    if (values.json === true) writeJson(terminal.stdout, { deleted });
    else terminal.stdout.write(`Deleted ${deleted} conversations\n`);
    return EXIT.ok;
  },
};

export const deleteTenant: Command = {
  summary: "delete all data of a tenant",
  usage:
    "delete-tenant <name> --yes [--json]\n\n  --yes  required, because a deletion cannot be undone\n\n  Deletes its conversations, its spending and its name. cairn gc then removes the files. Revoke the tenant's tokens first.",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(args, { yes: { type: "boolean" }, json: { type: "boolean" } }, ["<name>"]);
    const tenant = positionals[0] ?? "";
    if (values.yes !== true)
      throw usageError(`A deletion cannot be undone. To delete all data of ${tenant}, add --yes.`);
    await using data = await openData(terminal);
    const deleted = await doLongWork(terminal, "Deleting", (_, signal) => data.store.deleteTenant(tenant, { signal }));
    await removeLeftWorkspaces(data.settings.dataDir, data.store);
    if (values.json === true) writeJson(terminal.stdout, { tenant, deleted });
    else terminal.stdout.write(`Deleted ${deleted} conversations of ${tenant}\n`);
    return EXIT.ok;
  },
};
