/** `cairn serve`: runs the server and the web app until it is stopped. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSettings } from "cairn-agent/process";
import { type Command, readArgs, readPort } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { paint, type Terminal, writeJson } from "../command/terminal.ts";
import { untilTold } from "./until-told.ts";

const WEB_FOLDER = fileURLToPath(new URL("../../../web/dist", import.meta.url));

export const serve: Command = {
  summary: "start the server and the web app",
  usage: [
    "serve [--port <n>] [--host <address>] [--no-turns] [--verbose] [--json]",
    "",
    "  --port <n>        the port (default: 4310); 0 chooses a free one",
    "  --host <address>  the address (default: 127.0.0.1); any other needs CAIRN_TOKENS",
    "  --no-turns        leave turns to other processes on the same store (cairn worker), as CAIRN_CONCURRENCY=0 does",
    "  --verbose         print every log line; a terminal otherwise shows only warnings and errors",
    "  --json            print the address as one JSON line",
    "",
    "Log lines go to standard error, as JSON. Ctrl-C or SIGTERM stops the server; turns that do not end in time continue",
    "at the next start.",
  ].join("\n"),
  run: async (args, terminal) => {
    const { values } = readArgs(args, {
      port: { type: "string" },
      host: { type: "string" },
      "no-turns": { type: "boolean" },
      verbose: { type: "boolean" },
      json: { type: "boolean" },
    });
    const settings = await loadSettings(terminal);
    // Loaded only here, so that the other commands start faster.
    const { startServer } = await import("@cairn/server");
    const server = await startServer({
      settings: {
        ...settings,
        server: {
          ...settings.server,
          ...(values.port === undefined ? {} : { port: readPort(values.port) }),
          ...(values.host === undefined ? {} : { host: values.host }),
          ...(values["no-turns"] === true ? { concurrency: 0 } : {}),
        },
      },
      env: terminal.env,
      logTo: terminal.stderr,
      // A person at a terminal sees only warnings. Another program gets every log line.
      logLevel: terminal.stderr.isTTY === true && values.verbose !== true ? "warn" : "info",
      webFolder: WEB_FOLDER,
    });
    if (values.json === true) writeJson(terminal.stdout, { address: server.address, port: server.port });
    else greet(server.address, terminal, existsSync(join(WEB_FOLDER, "index.html")));
    await untilTold();
    await server.stop();
    return EXIT.ok;
  },
};

function greet(address: string, { stdout }: Terminal, hasApp: boolean): void {
  stdout.write(`Cairn is running at ${paint(stdout, "bold", address)}\nCtrl-C stops it.\n`);
  if (!hasApp) stdout.write("The web app is not built, so only the API is available. npm start builds it.\n");
}
