/** `cairn retention` and `cairn delete-tenant`: conversations nobody has touched for a while, and all of a tenant. */
import { type Command, readArgs } from "../command.ts";
import { EXIT, usageError } from "../exit-code.ts";
import { doLongWork } from "../long-work.ts";
import { openData } from "../open-data.ts";
import { writeJson } from "../terminal.ts";

const DAY_MS = 24 * 3_600_000;

export const retention: Command = {
  summary: "delete conversations nobody has touched for some days",
  usage:
    "retention --days <n> [--tenant <name>] --yes [--json]\n\n  --days <n>        days without activity after which a conversation goes\n  --tenant <name>   of this tenant only\n  --yes             needed: there is no way back\n\n  cairn gc removes their files and what is left of them in the database. Run both from a timer.",
  run: async (args, terminal) => {
    const { values } = readArgs(args, {
      ...{ days: { type: "string" }, tenant: { type: "string" } },
      ...{ yes: { type: "boolean" }, json: { type: "boolean" } },
    });
    const days = Number(values.days);
    if (values.days === undefined || !Number.isFinite(days) || days < 0)
      throw usageError("--days is missing, or not a number of days.");
    if (values.yes !== true) throw usageError("There is no way back. Add --yes.");
    const scope = values.tenant === undefined ? {} : { tenant: values.tenant };
    await using data = await openData(terminal);
    const deleted = await doLongWork(terminal, "Deleting", (_, signal) =>
      data.store.applyRetention({ idleMs: Math.floor(days * DAY_MS), scope, signal }),
    );
    if (values.json === true) writeJson(terminal.stdout, { deleted });
    else terminal.stdout.write(`${deleted} conversations deleted\n`);
    return EXIT.ok;
  },
};

export const deleteTenant: Command = {
  summary: "delete everything of a tenant",
  usage:
    "delete-tenant <name> --yes [--json]\n\n  --yes  needed: there is no way back\n\n  Conversations, what was spent, and the tenant's name. cairn gc removes the files. Withdraw the tenant's tokens first.",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(args, { yes: { type: "boolean" }, json: { type: "boolean" } }, ["<name>"]);
    const tenant = positionals[0] ?? "";
    if (values.yes !== true) throw usageError(`There is no way back. To delete all of ${tenant}, add --yes.`);
    await using data = await openData(terminal);
    const deleted = await doLongWork(terminal, "Deleting", (_, signal) => data.store.deleteTenant(tenant, { signal }));
    if (values.json === true) writeJson(terminal.stdout, { tenant, deleted });
    else terminal.stdout.write(`${deleted} conversations of ${tenant} deleted\n`);
    return EXIT.ok;
  },
};
