import type { RoundView } from "@cairn/timeline";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApprovalCard } from "./approval-card.tsx";

const ROUND: RoundView = {
  call_id: "c1",
  tool_id: "page.place",
  traits: { client: true },
  params: { exact: true },
  notes: null,
  status: "waiting_approval",
  sources_known: 0,
  code: null,
  started_at: null,
  settled_at: null,
  results: [],
  error: null,
  files: [],
  outcome: null,
};

test("a call of the application is shown as waiting for it, with its input and without buttons", () => {
  const html = renderToStaticMarkup(<ApprovalCard round={ROUND} />);
  expect(html).toContain("Waiting for the application");
  expect(html).toContain("exact");
  expect(html).not.toContain("<button");
});
