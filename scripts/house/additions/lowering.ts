import { type Addition, script } from "./addition.ts";

/** Another version of a lowering. Requests of earlier versions keep their bytes. */
export const lowering: Addition = {
  what: "a lowering",
  newFiles: {
    "packages/timeline/src/cache/wire/flat-3.ts": `import { composeParts } from "./compose-parts.ts";
import type { LoweringRules } from "./lowering-rules.ts";

export const flat3: LoweringRules = { name: "flat", version: 3, joinsMessages: false, compose: composeParts };
`,
  },
  edits: [
    {
      file: "packages/timeline/src/cache/wire/lowerings.ts",
      behind: 'import { flat2 } from "./flat-2.ts";\n',
      add: 'import { flat3 } from "./flat-3.ts";\n',
    },
    { file: "packages/timeline/src/cache/wire/lowerings.ts", behind: "flat2, ", add: "flat3, " },
  ],
  check: {
    args: script(`
      import { loweringSchema, lowerView, Timeline } from "@cairn/timeline";
      const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
      timeline.openTurn("turn_1");
      timeline.contribute([{ type: "user.prompt", turn_id: "turn_1", text: "How high is it?" }]);
      const lowering = loweringSchema.parse({ name: "flat", version: 3 });
      const input = { system: "", tools: [], blobs: new Map(), lowering };
      console.log(JSON.stringify(lowerView(timeline.render(), input, "automatic").lowering));`),
    prints: '{"name":"flat","version":3}',
  },
};
