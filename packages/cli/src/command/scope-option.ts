/**
 * `--scope <tenant>/<project>/<user>`, which every command accepts, for operators who work on other users'
 * conversations. A command with `--scope`, or that declares `audits`, writes a line to the audit log before it runs, if
 * there is one.
 */
import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import type { Scope } from "@cairn/store";
import type { Command } from "./command.ts";
import { usageError } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

const OPTION = "--scope";

/** The other arguments, and the scope if given. Throws `usage`. */
export function takeScope(args: readonly string[]): { readonly rest: string[]; readonly scope?: Scope } {
  const rest: string[] = [];
  let given: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    // Everything after `--` is an argument, even if it looks like an option.
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

export function spellScope({ tenant, project, user }: Scope): string {
  return [tenant, project, user].map((part) => part.replaceAll("%", "%25").replaceAll("/", "%2F")).join("/");
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // An invalid percent encoding is taken literally.
  }
}

export async function auditCommand(
  name: string,
  { usage, audits }: Command,
  args: readonly string[],
  terminal: Terminal,
): Promise<void> {
  if (terminal.scope === undefined && audits === undefined) return;
  // Loaded here, because most commands are not audited.
  const { loadSettings, openAudit } = await import("cairn-agent/process");
  const { server } = await loadSettings(terminal);
  if (server.audit === null) return;
  const audit = await openAudit(server.audit, terminal.stderr);
  const { tenant = null, project = null, user = null } = terminal.scope ?? {};
  const { words, ids } = namedIn(args, usage);
  // Only the argument that the usage calls `<id>` is a conversation. Other words may be file names.
  const first = usage.startsWith(`${name} <id>`) ? words[0] : undefined;
  const use = audits?.(words) ?? { action: name, conversation: first ?? ids[0] ?? null, turn: null };
  await audit.write({
    time: new Date().toISOString(),
    request: randomUUID(),
    tenant,
    project,
    user,
    via: "cli",
    subject: userInfo().username,
    credential: null,
    method: "CLI",
    route: use.action,
    conversation: use.conversation,
    turn: use.turn,
    consent: null,
    created: null,
    status: 0,
  });
}

/** The arguments that are not options, and the values of options that the usage describes as `<id>`. */
function namedIn(args: readonly string[], usage: string): { readonly words: string[]; readonly ids: string[] } {
  const placeholders = new Map<string, string>();
  for (const [, long = "", short = "", value = ""] of usage.matchAll(/(--[a-z-]+)(?:, (-[a-z]))? <([^>]+)>/g))
    for (const option of [long, short]) if (option !== "") placeholders.set(option, value);
  const words: string[] = [];
  const ids: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const [option = "", joined] = (args[at] ?? "").split(/=(.*)/s);
    if (!option.startsWith("-")) words.push(args[at] ?? "");
    else if (placeholders.has(option)) {
      const value = joined ?? args[++at] ?? "";
      if (placeholders.get(option) === "id") ids.push(value);
    }
  }
  return { words, ids };
}
