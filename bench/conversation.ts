/**
 * A synthetic conversation, like one of an agent: turns of five rounds, one of each kind (search, fetch, write, run
 * code, another tool), about 1 KB a result. Deterministic. Every turn brings three sources of its own, so the pool
 * grows with the conversation. Text is ASCII: that is where `JSON.stringify` is fastest, so the comparison is not in
 * our favour.
 */
import { make } from "@cairn/testkit/conversation";
import type { Block, SourceInput } from "@cairn/timeline";

export interface Round {
  readonly blocks: readonly Block[];
  readonly sources: readonly SourceInput[];
}

export interface Turn {
  readonly id: string;
  readonly opening: readonly Block[];
  readonly rounds: readonly Round[];
  readonly closing: readonly Block[];
}

export const ROUNDS_PER_TURN = 5;
const SOURCES_PER_TURN = 3;

export function composeTurn(index: number): Turn {
  const id = turnId(index);
  const [first, , last] = sidsOf(index);
  return {
    id,
    opening: [make.header(id), make.prompt(id, prose(index, 160))],
    rounds: [search, fetch, write, execute, remember].map((round, nth) =>
      round({ turn: id, call: callId(index, nth), iteration: nth }, index),
    ),
    closing: [
      make.completion(id, `${prose(index + 1, 500)} [[S:${first}]] ${prose(index, 200)} [[S:${first}-${last}]]`, [
        first,
      ]),
      make.followups(id, [prose(index, 40), prose(index + 2, 50)]),
    ],
  };
}

/** Paths of a turn, one path of each kind that can be resolved. */
export function pathsOf(index: number): string[] {
  const id = turnId(index);
  const [first, , last] = sidsOf(index);
  return [
    `ar:${id}.user.prompt`,
    `ar:${id}.assistant.completion`,
    `ar:${id}.react.notes.${callId(index, 2)}`,
    `fi:${id}.files/reports/summary.md`,
    `${id}/files/reports/summary.md`,
    `fi:${id}.files/reports/summary.md@v1`,
    `fi:${id}.code.${callId(index, 3)}`,
    `tc:${id}.${callId(index, 1)}.call`,
    `tc:${id}.tool_calls.${callId(index, 1)}.out.json`,
    `so:sources_pool[${first}-${last}]`,
    `fi:notes/journal.md@v${index + 1}`,
    "fi:notes/journal.md",
  ];
}

function search(at: make.CallContext, index: number): Round {
  const sids = sidsOf(index);
  const path = `so:sources_pool[${sids[0]}-${sids[2]}]`;
  const rows = sids.map((sid) => ({ sid, url: urlOf(sid), title: prose(sid, 50), text: prose(sid + 1, 200) }));
  return {
    blocks: [
      make.notes(at, prose(index, 120)),
      make.call(at, "web_tools.web_search", { queries: [prose(index, 40)], objective: prose(index, 80), n: 3 }),
      make.digest(at, { artifact_path: path, mime: "application/json", kind: "file", visibility: "internal" }),
      make.blockOf(at, "react.tool.result", path, { mime: "application/json", text: JSON.stringify(rows) }),
    ],
    sources: rows.map(({ url, title, text }) => ({ source_type: "web", domain: "example.com", url, title, text })),
  };
}

function fetch(at: make.CallContext, index: number): Round {
  const [sid] = sidsOf(index);
  const page = { sid, url: urlOf(sid), title: prose(sid, 50), content: prose(index + 3, 900) };
  return {
    blocks: [
      make.notes(at, prose(index + 1, 120)),
      make.call(at, "web_tools.web_fetch", { urls: [page.url] }),
      make.result(at, JSON.stringify({ [page.url]: page })),
    ],
    sources: [],
  };
}

function write(at: make.CallContext, index: number): Round {
  const text = `# ${prose(index, 30)}\n\n${prose(index + 4, 900)} [[S:${sidsOf(index)[1]}]]\n`;
  return {
    blocks: [
      make.notes(at, prose(index + 2, 120)),
      make.call(at, "react.write", {
        path: `${at.turn}/files/reports/summary.md`,
        content: `${text.slice(0, 100)}...`,
      }),
      ...make.file(at, {
        name: "reports/summary.md",
        mime: "text/markdown",
        text,
        extra: { size_bytes: text.length, tokens: 250, sources_used: [sidsOf(index)[1]] },
      }),
    ],
    sources: [],
  };
}

/** A round that runs a program. Each turn rewrites the same file, so that its path has a version for each turn. */
function execute(at: make.CallContext, index: number): Round {
  const journal = "fi:notes/journal.md";
  return {
    blocks: [
      make.notes(at, prose(index + 3, 120)),
      make.code(at, `import json\n\n${prose(index, 400)}\nprint(json.dumps({"rows": ${index}}))\n`),
      make.call(at, "exec_tools.execute_code_python", { prog_name: "analyse", timeout_s: 60 }),
      make.result(at, `Runtime error: none\n\nProgram log (tail):\n${prose(index + 5, 800)}`, "text/markdown"),
      make.digest(at, { artifact_path: journal, mime: "text/markdown", kind: "file", visibility: "internal" }),
      make.blockOf(at, "react.tool.result", journal, { mime: "text/markdown", text: prose(index + 6, 300) }),
    ],
    sources: [],
  };
}

function remember(at: make.CallContext, index: number): Round {
  return {
    blocks: [
      make.notes(at, prose(index + 4, 120)),
      make.call(at, "react.memsearch", { query: prose(index, 60), limit: 5 }),
      make.result(at, prose(index + 7, 1_000), "text/plain"),
    ],
    sources: [],
  };
}

function turnId(index: number): string {
  return `turn_${1_770_000_000_000 + index * 60_000}_${index.toString(36).padStart(6, "0")}`;
}

function callId(index: number, nth: number): string {
  return `tc_${(index * ROUNDS_PER_TURN + nth + 1).toString(16).padStart(12, "0")}`;
}

function sidsOf(index: number): [number, number, number] {
  const first = index * SOURCES_PER_TURN + 1;
  return [first, first + 1, first + 2];
}

function urlOf(sid: number): string {
  return `https://example.com/articles/${sid}?page=${sid % 7}`;
}

const SENTENCES = [
  "The committee met on Tuesday and agreed on the budget for the coming year.",
  'One delegate said "we have waited long enough" and left before the vote.',
  "Prices rose by 3.4 % over the quarter, mostly because of energy and transport.",
  "- total: 1,204 rows, 17 columns, 3 of them empty",
  "The library has been rewritten twice; neither version is documented.",
  "See also [the appendix] and the notes under C:\\data\\2024.",
  "Nothing in the measurements suggests that the effect depends on temperature.",
  "| region | units | share |\n| north | 4,120 | 31 % |",
];

/** About `length` characters of prose, lists and tables with the quotes and line breaks real text has. */
export function prose(seed: number, length: number): string {
  const parts: string[] = [];
  let size = 0;
  for (let nth = seed; size < length; nth++) {
    const sentence = `${SENTENCES[(nth * 5 + (nth >> 3)) % SENTENCES.length]}${nth % 3 === 0 ? "\n" : " "}`;
    parts.push(sentence);
    size += sentence.length;
  }
  return parts.join("").slice(0, length);
}
