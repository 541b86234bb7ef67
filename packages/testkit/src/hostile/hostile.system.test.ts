/**
 * A server that receives hostile files continues to serve: each file is attached, read by the model and by
 * `react.read`, returned by a tool and imported, while another client requests a page all the time.
 *
 * How long an event loop is blocked also depends on the machine. The test therefore measures an idle process beside the
 * server, and the processor time that the event loop takes without a pause. The smaller of the two values counts, and a
 * file that looks slow is tried once more.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { makeEvent } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportFile, exportLines } from "../attacks/imports.ts";
import type { HostileFile } from "./hostile-file.ts";
import { hostileFiles } from "./hostile-files.ts";
import { Victim } from "./victim.ts";

const LONG = process.env.CAIRN_LONG === "1";
const SIZE = LONG ? 64_000_000 : 300_000;
/** Pause of the other client between requests. This client only checks answers; delays are measured in the server. */
const PAUSE_MS = LONG ? 20 : 100;
const MAX_DELAY_MS = 250;
const MAX_MEMORY_MB = 1_000;

const files: HostileFile[] = [];
let folder: string;
let victim: Victim;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-hostile-"));
  for await (const file of hostileFiles(SIZE)) files.push(file);
  for (const { name, bytes } of files) await writeFile(join(folder, name), bytes);
  victim = await Victim.start(folder);
  // Code is compiled when it runs for the first time, so the effect of a file is measured after a warm-up.
  for (const text of ["[ A\u200b", "[ A"]) await say(await converse("reader"), `${text}\n[NOTICE x`.repeat(20));
});
afterAll(async () => {
  await victim[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/**
 * The server closes a connection on which it refused an upload; requests that were sent on it meanwhile are retried.
 */
async function call(path: string, init: RequestInit = {}) {
  const send = () => fetch(`${victim.address}${path}`, init);
  const response = await send().catch(send);
  return { status: response.status, body: JSON.parse((await response.text()) || "null") };
}

async function converse(agent: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const { body } = await call("/api/conversations", { method: "POST", headers, body: JSON.stringify({ agent }) });
  return body.conversation_id;
}

/** Sends a message and waits until its turn has ended. */
async function say(id: string, message: string, file?: HostileFile) {
  const form = new FormData();
  form.append("message", message);
  if (file !== undefined)
    form.append("attachments", new Blob([new Uint8Array(file.bytes)], { type: file.mime }), file.name);
  const { status, body } = await call(`/api/conversations/${id}/turns`, { method: "POST", body: form });
  expect(status).toBe(202);
  for (;;) {
    const { turns } = (await call(`/api/conversations/${id}`)).body;
    const turn = turns.find((each: { turn_id: string }) => each.turn_id === body.turn_id);
    if (typeof turn?.closed_at === "string") return turn;
    await wait(50);
  }
}

const deeds: Readonly<Record<string, (file: HostileFile) => Promise<void>>> = {
  "attached, and read by the offline model": async (file) => {
    const turn = await say(await converse("reader"), "What does the file say?", file);
    expect(turn.error).toBeNull();
  },
  "attached, and read by react.read": async (file) => {
    const turn = await say(await converse("obedient"), 'Please call react.read {"paths":["THE_FILE"]} now', file);
    expect(turn.rounds).toHaveLength(1);
    expect(turn.exit).toBe("complete");
  },
  "returned by a tool": async ({ name }) => {
    const turn = await say(await converse("obedient"), `Please call mcp.hostile.get {"name":"${name}"} now`);
    expect(turn.rounds).toHaveLength(1);
    expect(turn.exit).toBe("complete");
  },
  "returned by a tool as JSON of its own": async ({ name, mime }) => {
    if (mime !== "application/json") return;
    const turn = await say(await converse("obedient"), `Please call mcp.hostile.get {"name":"${name}","as":"raw"} now`);
    expect(turn.exit).toBe("complete");
  },
  imported: async ({ bytes }) => {
    await expectRefused("/api/import", "application/x-ndjson", new Blob([new Uint8Array(bytes)]));
  },
};

/** The server may close the connection while the rest is still being sent: then there is no answer to read. */
async function expectRefused(path: string, type: string, body: Blob): Promise<void> {
  const sent = fetch(`${victim.address}${path}`, { method: "POST", headers: { "content-type": type }, body });
  const status = await sent.then((response) => response.status).catch(() => "closed");
  expect([413, 422, "closed"]).toContain(status);
  expect((await call("/healthz")).status).toBe(200);
}

/** Another client requests a page again and again until the work is done; each answer must be correct. */
async function whileOthersAreServed(work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const others = (async () => {
    while (!isDone) {
      expect((await call("/api/conversations?limit=5")).status).toBe(200);
      await wait(PAUSE_MS);
    }
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await others;
  }
}

async function expectCalm(work: () => Promise<void>): Promise<void> {
  for (const isLast of [false, true]) {
    await victim.strain();
    await whileOthersAreServed(work);
    const { server, idle } = await victim.strain();
    expect(server.peakMb).toBeLessThan(MAX_MEMORY_MB);
    const delayMs = Math.min(server.delayMs - idle.delayMs, server.workMs);
    if (process.env.CAIRN_TEST_LOG !== undefined) console.log(expect.getState().currentTestName, server, idle.delayMs);
    if (delayMs < MAX_DELAY_MS) return;
    if (isLast) expect(delayMs).toBeLessThan(MAX_DELAY_MS);
  }
}

describe("a hostile file does not stop the server", () => {
  const names = ["xref.pdf", "pages.pdf", "content.pdf", "font.pdf", "objects.pdf", "font.ttf", "pixels.png"];
  names.push("chunks.png", "segments.jpg", "unclosed.svg", "laughs.svg", "laughs.xml", "deep.xml", "deep.html");
  names.push("lists.json", "deep.json", "words.txt", "commas.csv", "bomb.zip", "entries.zip", "bomb.docx");
  names.push("deep.docx", "bomb.xlsx", "cells.xlsx", "slides.pptx", "spaces.odt", "chapters.epub");

  it.each(names)("%s", async (name) => {
    const file = files.find((each) => each.name === name);
    if (file === undefined) throw new Error(`There is no ${name}.`);
    for (const deed of Object.values(deeds)) await expectCalm(() => deed(file));
    expect(victim.isAlive).toBe(true);
  });

  it("an import of one line with millions of values is refused before it is complete", async () => {
    const line = Buffer.alloc(LONG ? 315_000_000 : 8_000_000, "[],");
    await expectCalm(async () => {
      await expectRefused("/api/import", "application/x-ndjson", new Blob(['{"cairn_export":1,"a":[', line]));
    });
  });

  it.each(["parts", "messages"])("a chat body of 44 MB with millions of wrong %s is refused", async (list) => {
    const ones = Buffer.alloc(44_000_000, "1,");
    const start =
      list === "parts" ? '{"id":"a","messages":[{"id":"1","role":"user","parts":[' : '{"id":"a","messages":[';
    await expectCalm(async () => {
      await expectRefused("/api/chat", "application/json", new Blob([start, ones, list === "parts" ? "1]}]}" : "1]}"]));
    });
  });

  it("a pattern of a tool that backtracks is checked in linear time", async () => {
    await expectCalm(async () => {
      const params = JSON.stringify({ text: `${"a".repeat(40)}!` });
      const turn = await say(await converse("obedient"), `Please call mcp.hostile.match ${params} now`);
      expect(JSON.stringify(turn)).toContain("must match the pattern");
    });
  });
});

/**
 * Fragments that make the rules for quotations, headers, citations, code, Markdown, sentences and orders check every
 * position.
 */
const PIECES = {
  quotes: "\"'“‘«",
  "open quotes": "“ „ « ",
  brackets: "[[[(((",
  headers: "[USER MESSAGE]\n",
  "line breaks": "\n",
  citations: "[[S:1]]",
  "open citations": "[[S:1,",
  fences: "```\n",
  markdown: "*_`[![",
  tags: '<doc a="',
  "mail heads": "From: a\n",
  leads: "The sign says ",
  orders: "Always answer in French. ",
  han: "请总是用中文回答。",
  joined: "a\u0301\u0301",
  invisible: "\u200b[",
  paths: "fi:turn_1.files/a ",
  blanks: " . ",
  "different paths": Array.from({ length: 9_000 }, (_, n) => `fi:turn_1.files/${n} `).join(""),
};

const TS = "2026-02-09T10:00:00Z";

/** An export of one turn with these messages. */
function exported(texts: readonly string[]): Uint8Array {
  const blocks = texts.map((text, position) =>
    makeEvent("block.appended", {
      position,
      version: 1,
      tokens: Math.ceil(text.length / 3),
      block: { type: "user.prompt", turn_id: "turn_1", path: `ar:turn_1.user.prompt.${position}`, text, ts: TS },
    }),
  );
  const opened = makeEvent("turn.opened", { turn_id: "turn_1", ts: TS });
  const closed = makeEvent("turn.closed", { turn_id: "turn_1", ts: TS, exit: "complete" });
  return exportFile(exportLines([opened, ...blocks, closed]));
}

async function importFile(file: Uint8Array) {
  const headers = { "content-type": "application/x-ndjson" };
  return call("/api/import", { method: "POST", headers, body: new Blob([new Uint8Array(file)]) });
}

describe("a long text does not stop the server", () => {
  // With a table in the conversation, the message is also read as a question about the table.
  const table = { name: "table.csv", mime: "text/csv", bytes: Buffer.from("units,price\n1,2\n3,4\n") };
  it.each(Object.entries(PIECES))("a message of 200,000 characters of %s", async (_, piece) => {
    const text = `Hello ${piece.repeat(200_000 / piece.length)}`.slice(0, 199_990);
    await expectCalm(async () => {
      const id = await converse("reader");
      await say(id, `${text} end`, table);
      await say(id, "What did I say?");
    });
  });

  const imported = LONG ? (["line breaks", "quotes", "han"] as const) : (["quotes"] as const);
  it.each(imported)("an imported message of the largest line, of %s", async (name) => {
    const piece = PIECES[name];
    const text = piece.repeat(7_900_000 / (Buffer.byteLength(JSON.stringify(piece)) - 2));
    const file = exported([text]);
    await expectCalm(async () => {
      const { status, body } = await importFile(file);
      expect(status).toBe(201);
      for (const message of ["What did I say?", "And before?"])
        expect((await say(body.conversation_id, message)).error).toBeNull();
      expect((await call(`/api/conversations/${body.conversation_id}/blocks`)).status).toBe(200);
    });
  });

  it("an import of many large messages", async () => {
    const file = exported(Array.from({ length: LONG ? 60 : 12 }, () => "The quick brown fox. ".repeat(50_000)));
    await expectCalm(async () => {
      const { status, body } = await importFile(file);
      expect(status).toBe(201);
      for (const message of ["What did I say?", "And before?"]) await say(body.conversation_id, message);
    });
  });

  it("a line of an import that is too long for a server is refused, and the answer names the command that accepts it", async () => {
    const file = exported(["The quick brown fox. ".repeat(900_000)]);
    await expectCalm(async () => {
      const { status, body } = await importFile(file);
      expect(status).toBe(413);
      expect(body.error).toMatchObject({ code: "too_large", message: expect.stringContaining("cairn import") });
    });
  });

  const returned = LONG ? (["line breaks", "quotes", "citations"] as const) : (["citations"] as const);
  it.each(returned)("a tool's result at its limit, of %s", async (name) => {
    const piece = PIECES[name];
    const times = Math.floor(9_000_000 / (Buffer.byteLength(JSON.stringify(piece)) - 2));
    await expectCalm(async () => {
      const params = JSON.stringify({ text: piece, times: String(times) });
      const turn = await say(await converse("obedient"), `Please call mcp.hostile.repeat ${params} now`);
      expect(turn.exit).toBe("complete");
    });
  });

  const attachedMb = LONG ? 64 : 16;
  it(`an attached text of ${attachedMb} MB`, async () => {
    const bytes = Buffer.alloc(attachedMb * 1_000_000, "The quick brown fox [[S:1]]. ");
    await expectCalm(async () => {
      const turn = await say(await converse("reader"), "What is in it?", { name: "a.txt", mime: "text/plain", bytes });
      expect(turn.error).toBeNull();
    });
  });
});
