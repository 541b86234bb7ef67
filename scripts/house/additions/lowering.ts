import { type Addition, script } from "./addition.ts";

/** Another version of a lowering. Requests of earlier versions keep their bytes. */
export const lowering: Addition = {
  what: "a lowering",
  newFiles: {},
  edits: [
    { file: "packages/timeline/src/cache/wire/lowering.ts", behind: "readonly version: 1 | 2", add: " | 3" },
    {
      file: "packages/timeline/src/cache/wire/lowering.ts",
      behind: 'export const FLAT_2: Lowering = { name: "flat", version: 2 };\n',
      add: 'export const FLAT_3: Lowering = { name: "flat", version: 3 };\n',
    },
    {
      file: "packages/timeline/src/cache/wire/lowering.ts",
      behind: '  return name === "flat" && version >= 2',
      add: " && version !== 3",
    },
    { file: "packages/agent/src/receipt/request-record.ts", behind: "z.literal(2)", add: ", z.literal(3)" },
    { file: "packages/timeline/src/index.ts", behind: "FLAT_2,", add: " FLAT_3," },
  ],
  check: {
    args: script(`
      import { FLAT_3, lowerView, Timeline } from "@cairn/timeline";
      const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
      timeline.openTurn("turn_1");
      timeline.contribute([{ type: "user.prompt", turn_id: "turn_1", text: "How high is it?" }]);
      const input = { system: "", tools: [], blobs: new Map(), lowering: FLAT_3 };
      console.log(JSON.stringify(lowerView(timeline.render(), input, "automatic").lowering));`),
    prints: '{"name":"flat","version":3}',
  },
};
