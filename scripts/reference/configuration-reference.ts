/** The configuration reference as Markdown, from the tables that the settings are read with. */
import { MODEL_PROVIDERS } from "@cairn/agent";
import { SETTINGS } from "cairn-agent/process";

const INTRODUCTION = `# Configuration reference

Every setting of the command and the server, with its default. \`npm run docs\` generates this page from the tables of settings.

Settings are in \`cairn.config.ts\` or \`cairn.config.json\` in the working directory. Environment variables override the file. An empty variable counts as not set. An invalid value stops the start with one line that names it. All commands, including \`cairn serve\` and \`cairn chat\`, use the same settings.
`;

const PROVIDERS = `## Models

| \`CAIRN_MODEL\` | needs |
|---|---|
| \`offline\` | nothing |
${MODEL_PROVIDERS.map(({ name, needs }) => `| \`${name}:<id>\` | ${needs} |`).join("\n")}

${MODEL_PROVIDERS.map(({ baseUrl }) => `\`${baseUrl}\``).join(", ")} override the addresses of the providers. \`CAIRN_MODEL_CONTEXT_TOKENS\` and \`CAIRN_MODEL_MAX_OUTPUT_TOKENS\` override the known limits of a model. \`CAIRN_MODEL_LOWERING\` chooses how the history is sent: \`native\` uses the provider's own roles, calls and results; \`flat\` sends all history as text in user messages. The default is \`native\`, except for models that are known to refuse it ([What goes on the wire](wire.md)). \`CAIRN_MODEL_PROTOCOL=text\` makes models call tools [in text](agent.md#models-that-call-no-tools). Set it for a model that has no tool calling of its own and is not listed as such. \`native\` makes models that are listed as such use their own tool calling.
`;

export function writeConfigurationReference(): string {
  const rows = Object.entries(SETTINGS).map(
    ([key, { variable, byDefault, about }]) =>
      `| ${variable === null ? "" : `\`${variable}\``} | \`${key}\` | ${byDefault} | ${about} |`,
  );
  const table = ["| variable | key in the file | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
  return `${INTRODUCTION}\n${table}\n\n${PROVIDERS}`;
}
