/**
 * `--scope <tenant>/<project>/<user>`, which every command accepts, for operators who work on other users'
 * conversations. Each such command, and each `quarantine`, writes a line to the audit log, if there is one, before it
 * runs.
 */
import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { loadSettings, openAudit } from "@cairn/server/config";
import type { Scope } from "@cairn/store";
import { usageError } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

const OPTION = "--scope";

/** The other arguments, and the scope if given. Throws `usage`. */
export function takeScope(args: readonly string[]): { readonly rest: string[]; readonly scope?: Scope } {
  const rest: string[] = [];
  let given: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    // After `--` everything is an argument.
    if (arg === "--") {
      rest.push(...args.slice(at));
      break;
    }
    if (arg === OPTION) given = args[++at] ?? "";
    else if (arg.startsWith(`${OPTION}=`)) given = arg.slice(OPTION.length + 1);
    else rest.push(arg);
  }
  return given === undefined ? { rest } : { rest, scope: readScope(given) };
}

function readScope(given: string): Scope {
  const [tenant = "", project = "", user = "", ...more] = given.split("/").map(decode);
  if (tenant === "" || project === "" || user === "" || more.length > 0)
    throw usageError(
      `${OPTION} must be <tenant>/<project>/<user>, not ${JSON.stringify(given)}. Write a / inside a name as %2F.`,
    );
  return { tenant, project, user };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // An invalid percent encoding is taken literally.
  }
}

export async function auditCommand(name: string, args: readonly string[], terminal: Terminal): Promise<void> {
  if (terminal.scope === undefined && name !== "quarantine") return;
  const { server } = await loadSettings(terminal);
  if (server.audit === null) return;
  const audit = await openAudit(server.audit, terminal.stderr);
  const { tenant = null, project = null, user = null } = terminal.scope ?? {};
  const words = args.filter((arg) => !arg.startsWith("-"));
  const [conversation = null, turn = null] = name === "quarantine" ? words.slice(1) : words;
  await audit.write({
    ...{ time: new Date().toISOString(), request: randomUUID(), tenant, project, user },
    ...{ via: "cli", subject: userInfo().username, credential: null },
    ...{ method: "CLI", route: name === "quarantine" ? `quarantine ${words[0] ?? "list"}` : name },
    ...{ conversation, turn: name === "quarantine" ? turn : null, consent: null, created: null, status: 0 },
  });
}
