/** `cairn mcp`: the agent as an MCP server, the MCP servers of the agent, and the user's logins at them. */
import { CairnError } from "@cairn/timeline";
import type { McpServerConfig } from "@cairn/tools/mcp";
import { mcpPlaces, mcpServers, SecretBox } from "cairn-agent/process";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT, type ExitCode, usageError } from "../command/exit-code.ts";
import { openData, scopeOf } from "../command/open-data.ts";
import { paint, plainLine, type Terminal, writeJson } from "../command/terminal.ts";
import { listenForRedirect } from "./redirect-listener.ts";

export const mcp: Command = {
  summary: "serve the agent to MCP clients; list its own MCP servers, log in and out",
  usage: [
    "mcp",
    "mcp list [--json]",
    "mcp login <server>",
    "mcp logout <server>",
    "",
    "Without a subcommand, the agent is an MCP server on standard input and output, for another program to start.",
    "",
    "  list    the configured servers, and whether they can be used",
    "  login   log in at a server that requires it; prints the address to open in a browser on this machine",
    "  logout  delete the login",
    "",
    "A login belongs to the user that --scope names. It is stored encrypted with CAIRN_SECRET_KEY.",
  ].join("\n"),
  run: async (args, terminal) => {
    const [what = "", ...rest] = args;
    switch (what) {
      case "":
        return await (await import("./serve-stdio.ts")).serveAgent(terminal);
      case "list":
        return await list(rest, terminal);
      case "login":
        return await login(rest, terminal);
      case "logout":
        return await logout(rest, terminal);
      default:
        throw usageError(`Use one of list, login and logout, not ${JSON.stringify(what)}.`);
    }
  },
};

async function list(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = readArgs(args, { json: { type: "boolean" } });
  const { connectMcp, KeptLogin, takesLogin } = await import("@cairn/tools/mcp");
  await using data = await openServers(terminal);
  const { secrets, owner } = data;
  const places = await mcpPlaces(data.settings);
  for (const [server, config] of data.servers) {
    const found = await connectMcp({ [server]: config }, { secrets, owner });
    const [problem] = found.problems;
    await found.close();
    const kept = takesLogin(config) ? await new KeptLogin(secrets, owner, server, config.url, "none").read() : {};
    const loggedIn = kept.tokens !== undefined;
    const place = places.get(server) ?? "";
    const { stdout } = terminal;
    if (values.json === true)
      writeJson(stdout, { server, place, logged_in: loggedIn, tools: found.tools.length, problem: problem ?? null });
    else {
      const state = problem ?? `${found.tools.length === 1 ? "one tool" : `${found.tools.length} tools`}`;
      const login = loggedIn ? ", logged in" : "";
      stdout.write(`${paint(stdout, "bold", server)}  ${plainLine(place)}\n  ${plainLine(state)}${login}\n`);
    }
  }
  return EXIT.ok;
}

async function login(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { positionals } = readArgs(args, {}, ["<server>"]);
  const { beginLogin } = await import("@cairn/tools/mcp");
  await using data = await openServers(terminal);
  const { server, config } = await findHttp(data.servers, positionals[0] ?? "");
  await using redirect = await listenForRedirect(config.oauth?.redirect_port ?? 0);
  const { secrets, owner } = data;
  const { signal } = new AbortController();
  const begun = await beginLogin(server, config, { secrets, owner, redirectUrl: redirect.url, signal });
  const { stdout, stderr } = terminal;
  if (begun === null) {
    stderr.write(`The MCP server ${server} requires no further login.\n`);
    return EXIT.ok;
  }
  stderr.write(`Open this address to log in at ${server}:\n`);
  const received = redirect.receive(begun.state);
  stdout.write(`${begun.address}\n`);
  await begun.finish(await received);
  stderr.write(`Logged in at ${server}.\n`);
  return EXIT.ok;
}

async function logout(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { positionals } = readArgs(args, {}, ["<server>"]);
  const { KeptLogin } = await import("@cairn/tools/mcp");
  await using data = await openServers(terminal);
  const server = positionals[0] ?? "";
  // A login may remain from a server that is no longer configured.
  const isDeleted = await new KeptLogin(data.secrets, data.owner, server, "").delete();
  if (!isDeleted) throw new CairnError("not_found", `There is no login at ${JSON.stringify(server)}.`);
  terminal.stderr.write(`Logged out of ${server}.\n`);
  return EXIT.ok;
}

async function openServers(terminal: Terminal) {
  const data = await openData(terminal, { create: true });
  const { settings, store } = data;
  return {
    settings,
    servers: await mcpServers(settings, terminal.env),
    secrets: new SecretBox(settings, store),
    owner: scopeOf(terminal),
    [Symbol.asyncDispose]: () => data[Symbol.asyncDispose](),
  };
}

async function findHttp(servers: ReadonlyMap<string, McpServerConfig>, server: string) {
  const { takesLogin } = await import("@cairn/tools/mcp");
  const config = servers.get(server);
  if (config === undefined)
    throw new CairnError("not_found", `There is no MCP server ${JSON.stringify(server)} in the configuration.`);
  if (!takesLogin(config))
    throw usageError(
      `${server} does not use logins: it is a local process, or its configuration has an authorization header.`,
    );
  return { server, config };
}
