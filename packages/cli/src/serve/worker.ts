/** `cairn worker`: runs turns for servers on the same store until it is stopped. */
import { loadSettings } from "cairn-agent/process";
import { type Command, readArgs, readPort } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { writeJson } from "../command/terminal.ts";
import { untilTold } from "./until-told.ts";

export const worker: Command = {
  summary: "run turns for servers on the same store",
  usage: [
    "worker [--port <n>] [--host <address>] [--json]",
    "",
    "  --port <n>        the port (default: any free one) for /healthz, /readyz and /metrics",
    "  --host <address>  the address (default: 127.0.0.1); any other needs CAIRN_TOKENS",
    "  --json            print the address as one JSON line",
    "",
    "Uses the settings of cairn serve: the same CAIRN_DATABASE_URL, CAIRN_BLOBS_URL and model; CAIRN_CONCURRENCY turns run at",
    "once. Log lines go to standard error, as JSON. Ctrl-C or SIGTERM stops it: turns that do not end in time continue",
    "elsewhere.",
  ].join("\n"),
  run: async (args, terminal) => {
    const { values } = readArgs(args, {
      port: { type: "string" },
      host: { type: "string" },
      json: { type: "boolean" },
    });
    const settings = await loadSettings(terminal);
    const { startServer } = await import("@cairn/server");
    const running = await startServer({
      settings: {
        ...settings,
        server: {
          ...settings.server,
          port: values.port === undefined ? 0 : readPort(values.port),
          ...(values.host === undefined ? {} : { host: values.host }),
        },
      },
      env: terminal.env,
      logTo: terminal.stderr,
      worksOnly: true,
    });
    if (values.json === true) writeJson(terminal.stdout, { address: running.address, port: running.port });
    else terminal.stdout.write(`The worker reports its health at ${running.address}\nCtrl-C stops it.\n`);
    await untilTold();
    await running.stop();
    return EXIT.ok;
  },
};
