/**
 * The conversions on the way of `message-hops.ts`: functions that are called with the message or its answer and return
 * it in another form. Conversions hand the message on to no function but another conversion, which is then listed too.
 * A conversion is listed once for each file that calls it.
 *
 * The list assumes Anthropic as the provider and the newest lowering. Helpers in the file of their caller, functions of
 * libraries and checks of schemas are not listed. `npm run house` prints the list, and the test of the hops checks that
 * the file declares the function and that the caller's file contains the call.
 */
export interface Conversion {
  readonly name: string;
  /** The path of the file, relative to `packages/`. */
  readonly file: string;
  readonly from: string;
  /** The call as the caller's file spells it; default: the name and `(`. */
  readonly call?: string;
  readonly what: string;
}

const CODEC = "timeline/src/event/codec.ts";
const EVENT_ROW = "store/src/sql/event-row.ts";
const TAKE_EVENTS = "store/src/sql/take-events.ts";
const USER_PROMPT = "timeline/src/kind/user-prompt.ts";
const WIRE = "timeline/src/cache/wire";
const ADAPTER = "agent/src/model/ai-sdk-model.ts";
const MARKDOWN = "web/src/markdown";

export const MESSAGE_CONVERSIONS: readonly Conversion[] = [
  { name: "makeEvent", file: CODEC, from: "front/src/messages/take-message.ts", what: "message → event" },
  {
    name: "prepareEvent",
    file: EVENT_ROW,
    from: "store/src/sql/append.ts",
    call: "(prepareEvent)",
    what: "event → row",
  },
  { name: "encodeEvent", file: CODEC, from: EVENT_ROW, what: "event → envelope" },
  {
    name: "journalEvents",
    file: "store/src/sql/load.ts",
    from: "store/src/sql/follow.ts",
    what: "rows → events, of a follower",
  },
  { name: "takeEvents", file: TAKE_EVENTS, from: "store/src/sql/load.ts", what: "rows → events" },
  { name: "decodeRow", file: EVENT_ROW, from: "store/src/sql/load.ts", what: "row → event, of a load" },
  {
    name: "readEventRow",
    file: EVENT_ROW,
    from: "store/src/sql/load.ts",
    call: "readEventRow)",
    what: "row → event, of a follower",
  },
  { name: "decodeEvent", file: CODEC, from: EVENT_ROW, what: "envelope → event" },
  { name: "makeEvent", file: CODEC, from: "timeline/src/timeline.ts", what: "block → event" },
  {
    name: "append",
    file: "timeline/src/state/state.ts",
    from: "timeline/src/state/apply.ts",
    call: "state.append(",
    what: "block → entry of the state",
  },
  { name: "Entry", file: "timeline/src/state/entry.ts", from: "timeline/src/state/state.ts", what: "block → entry" },
  {
    name: "ModelView",
    file: "timeline/src/render/model-view.ts",
    from: "timeline/src/timeline.ts",
    what: "entries → message blocks",
  },
  {
    name: "viewEntry",
    file: "timeline/src/render/block-view.ts",
    from: "timeline/src/render/model-view.ts",
    what: "entry → message blocks",
  },
  {
    name: "userPrompt",
    file: USER_PROMPT,
    from: "timeline/src/render/block-view.ts",
    call: "kind.view(",
    what: "block → text for the model",
  },
  { name: "paragraph", file: "timeline/src/message/paragraph.ts", from: USER_PROMPT, what: "text → message block" },
  { name: "wireInput", file: "agent/src/model/wire-input.ts", from: ADAPTER, what: "request → input of the lowering" },
  {
    name: "composeNative",
    file: `${WIRE}/compose-native.ts`,
    from: `${WIRE}/lower-view.ts`,
    call: "rules.compose(",
    what: "message blocks → pieces",
  },
  {
    name: "ContentReader",
    file: `${WIRE}/content-part.ts`,
    from: `${WIRE}/compose-native.ts`,
    what: "message block → part",
  },
  {
    name: "anthropicMessages",
    file: `${WIRE}/anthropic.ts`,
    from: `${WIRE}/lower-view.ts`,
    call: "format.part(",
    what: "piece → wire block",
  },
  {
    name: "callOptions",
    file: "agent/src/model/call-options.ts",
    from: ADAPTER,
    what: "wire blocks → call of the AI SDK",
  },
  {
    name: "NativePrompt",
    file: "agent/src/model/native-prompt.ts",
    from: "agent/src/model/call-options.ts",
    what: "wire block → SDK message",
  },
  { name: "PartReader", file: "agent/src/model/part-reader.ts", from: ADAPTER, what: "SDK part → part of the answer" },
  {
    name: "publicEvent",
    file: "timeline/src/visibility/public-event.ts",
    from: "server/src/http/routes/event-stream.ts",
    what: "event → public event",
  },
  {
    name: "publicBlock",
    file: "timeline/src/visibility/public-block.ts",
    from: "timeline/src/visibility/public-event.ts",
    what: "block → public block",
  },
  { name: "decodeEvent", file: CODEC, from: "web/src/state/open-session.ts", what: "data of the stream → event" },
  {
    name: "publicEvent",
    file: "timeline/src/visibility/public-event.ts",
    from: "timeline/src/view/view-event.ts",
    what: "event → public event",
  },
  {
    name: "userPrompt",
    file: USER_PROMPT,
    from: "timeline/src/view/view-event.ts",
    call: "kind.addToTurn(",
    what: "message → view",
  },
  {
    name: "assistantCompletion",
    file: "timeline/src/kind/assistant-completion.ts",
    from: "timeline/src/view/view-event.ts",
    call: "kind.addToTurn(",
    what: "answer → view",
  },
  { name: "lexMarkdown", file: `${MARKDOWN}/lex.ts`, from: `${MARKDOWN}/markdown.tsx`, what: "text → tokens" },
  {
    name: "BlockToken",
    file: `${MARKDOWN}/block-token.tsx`,
    from: `${MARKDOWN}/markdown.tsx`,
    call: "<BlockToken",
    what: "token → element",
  },
  {
    name: "Inline",
    file: `${MARKDOWN}/inline-token.tsx`,
    from: `${MARKDOWN}/block-token.tsx`,
    call: "<Inline",
    what: "tokens of a line → elements",
  },
];
