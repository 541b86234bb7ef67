/**
 * The files that features after the baseline brought. `npm run house` counts their lines apart from the code that was
 * restructured. The rule (decision 0908): a file is listed only if all of it is for the feature. A file that was moved,
 * renamed or split off from older code is not listed, and neither is older code that grew with a feature.
 */
import { execFileSync } from "node:child_process";

/** Feature → files, or folders with a slash at the end, below `packages/`. */
export const FEATURES: Readonly<Record<string, readonly string[]>> = {
  "library for applications": [
    "front/src/create-cairn.ts",
    "front/src/define/",
    "front/src/index.ts",
    "front/src/library/",
    "server/src/auth/application-callers.ts",
    "server/src/handler.ts",
  ],
  "native lowering and reasoning": [
    "agent/src/model/ask-reasoning.ts",
    "agent/src/model/native-prompt.ts",
    "agent/src/turn/state/kept-reasoning.ts",
    "agent/src/turn/state/thinking-block.ts",
    "cli/src/chat/show/reasoning.ts",
    "timeline/src/block/reasoning.ts",
    "timeline/src/cache/wire/call-ids.ts",
    "timeline/src/cache/wire/compose-native.ts",
    "timeline/src/cache/wire/google.ts",
    "timeline/src/cache/wire/native-1.ts",
    "timeline/src/cache/wire/native-step.ts",
    "timeline/src/event/reasoning.ts",
    "timeline/src/kind/react-thinking.ts",
    "timeline/src/render/origin.ts",
    "web/src/chat/thinking.tsx",
    "web/src/composer/effort-choice.tsx",
    "web/src/state/chosen-effort.ts",
  ],
  "tools for models that have none": [
    "agent/src/protocol/call-scanner.ts",
    "agent/src/protocol/call-tag.ts",
    "agent/src/protocol/decision-protocol.ts",
    "agent/src/protocol/lenient-json.ts",
    "agent/src/protocol/protocol-of.ts",
    "agent/src/protocol/text-call.ts",
    "agent/src/protocol/text-protocol.ts",
    "agent/src/protocol/unmarked-call.ts",
  ],
  "structured output": [
    "agent/src/model/takes-output.ts",
    "agent/src/output/",
    "agent/src/turn/request/native-output.ts",
    "timeline/src/block/structured-output.ts",
  ],
  hooks: ["agent/src/definition/hooks.ts", "agent/src/turn/hooks/"],
  "questions of a call": [
    "agent/src/tool/question.ts",
    "cli/src/chat/ask/ask-question.ts",
    "timeline/src/event/question-form.ts",
    "tools/src/mcp/elicitation.ts",
    "tools/src/mcp/running-call.ts",
    "web/src/chat/question-card.tsx",
  ],
  "MCP logins, mcp.json and the agent as an MCP server": [
    "agent/src/definition/with-found-tools.ts",
    "cli/src/mcp/",
    "front/src/built-in/mcp-servers.ts",
    "front/src/data/secrets.ts",
    "store/src/sql/secrets.ts",
    "tools/src/mcp/kept-login.ts",
    "tools/src/mcp/login-fetch.ts",
    "tools/src/mcp/login-session.ts",
    "tools/src/mcp/mcp-json.ts",
    "tools/src/mcp/mcp-login.ts",
  ],
  "branches and versions of an answer": [
    "agent/src/receipt/tree-receipts.ts",
    "front/src/messages/branch.ts",
    "server/src/http/routes/branches.ts",
    "store/src/every-branch.ts",
    "store/src/export/tree-members.ts",
    "store/src/sql/branch.ts",
    "store/src/sql/lineage.ts",
    "store/src/sql/settled-at.ts",
    "store/src/sql/tree.ts",
    "store/src/sql/turn-versions.ts",
    "web/src/chat/compare-versions.tsx",
    "web/src/chat/version-switch.tsx",
  ],
  "import of messages": ["agent/src/transcript/", "front/src/transcript/", "store/src/export/compose-export.ts"],
  "preview of HTML files": [
    "server/src/http/preview-frame.ts",
    "web/src/files/html-preview.tsx",
    "web/src/files/without-requests.ts",
  ],
  "history and files of AI SDK clients": [
    "server/src/chat/chat-file.ts",
    "server/src/chat/fold-message.ts",
    "server/src/chat/read-history.ts",
  ],
  "shares of the processor and limits of requests": [
    "server/src/http/limit-pipelining.ts",
    "server/src/shares/processor.ts",
    "server/src/shares/share-steps.ts",
  ],
};

/** The feature that a source file belongs to; null for code that was there before. */
export function featureOf(path: string): string | null {
  const below = path.replace(/^packages\//, "");
  const isIn = (place: string) => (place.endsWith("/") ? below.startsWith(place) : below === place);
  return Object.keys(FEATURES).find((name) => FEATURES[name]?.some(isIn)) ?? null;
}

/** Listed places that were in the project at the commit, which the rule forbids. */
export function placesBefore(root: string, commit: string): readonly string[] {
  const places = Object.values(FEATURES).flatMap((paths) => paths.map((path) => `packages/${path}`));
  const found = execFileSync("git", ["ls-tree", "--name-only", "-r", commit, "--", ...places], { cwd: root });
  return found
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}
