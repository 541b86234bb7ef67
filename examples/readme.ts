import { debugPrint, Timeline } from "@cairn/timeline";

const countTokens = (text: string) => Math.ceil(text.length / 4);
const timeline = Timeline.create({ clock: { now: () => 1_770_631_200_000 }, countTokens });
timeline.openTurn("turn_1");
timeline.contribute([
  { type: "user.prompt", turn_id: "turn_1", path: "ar:turn_1.user.prompt", text: "Where can I eat in Wuppertal?" },
  { type: "assistant.completion", turn_id: "turn_1", path: "ar:turn_1.assistant.completion", text: "At the market." },
]);
console.log(debugPrint(timeline.render()));
console.log(timeline.resolve("ar:turn_1.assistant.completion")?.text);
