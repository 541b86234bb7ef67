import { type Addition, script } from "./addition.ts";

/** The reference page `docs/configuration.md` is generated from the table. */
export const setting: Addition = {
  what: "a setting",
  newFiles: {},
  edits: [
    {
      file: "packages/front/src/settings/tool-settings.ts",
      behind: "export const TOOLS = {\n",
      add: `  weather: text({
    variable: "CAIRN_WEATHER",
    byDefault: "none",
    about: "The place whose weather the agent knows.",
  }),
`,
    },
  ],
  check: {
    args: script(`
      import { readSettings } from "cairn-agent/process";
      console.log(readSettings(null, { CAIRN_WEATHER: "Wuppertal" }, "/").tools.weather);`),
    prints: "Wuppertal",
  },
};
