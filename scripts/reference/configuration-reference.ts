/** The configuration reference as Markdown, from the table the settings are read by. */
import { MODEL_PROVIDERS } from "@cairn/agent";
import { SETTINGS } from "@cairn/server/config";

const INTRODUCTION = `# Configuration reference

Written by \`npm run docs\` from the table the settings are read by.

Settings stand in \`cairn.config.ts\` or \`cairn.config.json\` in the working directory; the environment goes before the file. An empty variable is an absent one. A wrong value stops the start with one line that names it. The same settings hold for \`cairn serve\`, \`cairn chat\` and every other command.
`;

const PROVIDERS = `## Models

| \`CAIRN_MODEL\` | needs |
|---|---|
| \`offline\` | nothing |
${MODEL_PROVIDERS.map(({ name, needs }) => `| \`${name}:<id>\` | ${needs} |`).join("\n")}

${MODEL_PROVIDERS.map(({ baseUrl }) => `\`${baseUrl}\``).join(", ")} set other addresses. \`CAIRN_MODEL_CONTEXT_TOKENS\` and \`CAIRN_MODEL_MAX_OUTPUT_TOKENS\` override what is known of a model.
`;

export function writeConfigurationReference(): string {
  const rows = SETTINGS.map((setting) => {
    const bounds = setting.kind === "count" ? ` (${setting.least} to ${setting.most})` : "";
    const variable = setting.variable === null ? "" : `\`${setting.variable}\``;
    const list =
      setting.kind === "list" && setting.variable !== null ? " With commas between them in the environment." : "";
    return `| ${variable} | \`${setting.key}\` | ${setting.byDefault}${bounds} | ${setting.about}${list} |`;
  });
  const table = ["| variable | key in the file | unless set | |", "|---|---|---|---|", ...rows].join("\n");
  return `${INTRODUCTION}\n${table}\n\n${PROVIDERS}`;
}
