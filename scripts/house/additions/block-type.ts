import { type Addition, script } from "./addition.ts";

export const blockType: Addition = {
  what: "a block type",
  newFiles: {
    "packages/timeline/src/kind/app-weather.ts": `/** \`app.weather\`: the weather at the user's place. */
import { paragraph } from "../message/paragraph.ts";
import { defineKind } from "./block-kind.ts";

export const appWeather = defineKind({
  type: "app.weather",
  view: (_, text, rules) => paragraph(\`The weather outside: \${rules.payload(text)}\`),
  pruning: "keep",
});
`,
  },
  edits: [
    {
      file: "packages/timeline/src/kind/kinds.ts",
      behind: "here. */\n",
      add: 'import { appWeather } from "./app-weather.ts";\n',
    },
    { file: "packages/timeline/src/kind/kinds.ts", behind: "  systemMessage,\n", add: "  appWeather,\n" },
  ],
  check: {
    args: script(`
      import { debugPrint, Timeline } from "@cairn/timeline";
      const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
      timeline.openTurn("turn_1");
      timeline.contribute([{ type: "app.weather", turn_id: "turn_1", text: "rain" }]);
      console.log(debugPrint(timeline.render()));`),
    prints: "The weather outside: rain",
  },
};
