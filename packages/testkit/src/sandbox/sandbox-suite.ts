/**
 * The conformance suite of `Sandbox`: the environment of a program, its outcome, and that nothing remains afterwards. A
 * sandbox runs it with one line, once for each language.
 */
import { lstat, mkdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import {
  type AnswerQuestion,
  answerQuestions,
  DEFAULT_LIMITS,
  type Language,
  type Sandbox,
  type SandboxLimits,
  type SandboxRun,
  Stage,
  stageProgram,
} from "@cairn/tools/exec";
import { describe, expect, it } from "vitest";
import type { TriedSandbox } from "./escape-suite.ts";
import { leftRunning } from "./left-running.ts";
import { PROGRAMS } from "./programs.ts";

interface PlayOptions {
  readonly limits?: Partial<SandboxLimits>;
  readonly signal?: AbortSignal;
  readonly answer?: AnswerQuestion;
  readonly prepare?: (stage: Stage) => Promise<void>;
}

type Played = SandboxRun & { readonly files: Readonly<Record<string, string>>; readonly left: readonly number[] };

export function sandboxSuite({ sandbox, missing }: TriedSandbox, language: Language): void {
  const programs = PROGRAMS[language];
  const play = (code: string, options?: PlayOptions) => playProgram(sandbox, language, code, options);

  describe.skipIf(missing !== null)(
    `${sandbox.name} runs ${language}${missing === null ? "" : ` (${missing})`}`,
    () => {
      it("prints, reads its inputs, knows OUTPUT_DIR, and writes the files of its turn", async () => {
        const { error, log, files } = await play(programs.works, {
          prepare: (stage) => stage.write("out/turn_1/attachments/ein Brief.txt", "naïve 漢字 😀"),
        });
        expect({ error, log }).toEqual({ error: null, log: expect.stringContaining("naïve 漢字 😀") });
        expect(files).toEqual({ "made.txt": "made of naïve 漢字 😀" });
      });

      it("changes a file of its turn, and can remove it", async () => {
        const { error, files } = await play(programs.changes, {
          prepare: async (stage) => {
            await stage.write("out/turn_1/files/old.txt", "old");
            await stage.write("out/turn_1/files/deep/gone.txt", "gone");
          },
        });
        expect(error).toBeNull();
        expect(files).toEqual({ "old.txt": "old and new" });
      });

      it("limits the bytes a program writes, not the files that were there before", async () => {
        const limits = { diskBytes: 2_000_000, diskEntries: 50 };
        const prepare = async (stage: Stage) => {
          for (let n = 0; n < 60; n++) await stage.write(`out/turn_1/files/before-${n}`, "x".repeat(50_000));
        };
        expect((await play(programs.says("fine"), { limits, prepare })).error).toBeNull();
      });

      it("reports an exception of a program in one line, with its place in the code", async () => {
        const { error, log } = await play(programs.throws);
        expect(error).toEqual({ code: "execution_failed", message: expect.stringMatching(/^\w*Error: first second$/) });
        expect(log).toMatch(programs.place);
      });

      it("reports a program with a syntax error", async () => {
        expect((await play(programs.malformed)).error).toEqual({
          code: "execution_failed",
          message: expect.stringContaining("SyntaxError"),
        });
      });

      it("distinguishes an exit with status 0 from other exits", async () => {
        expect((await play(programs.exits(0))).error).toBeNull();
        expect((await play(programs.exits(3))).error).toEqual({
          code: "execution_failed",
          message: "The program ended with exit code 3.",
        });
      });

      it("answers a program's questions about the conversation, in order, with errors as values", async () => {
        const asked: string[] = [];
        const { error, log } = await play(programs.asks, {
          answer: async (path) => {
            asked.push(path);
            return path.startsWith("so:")
              ? [{ sid: 1, title: "Büch" }]
              : { path, error: { code: "not_found", message: "no" } };
          },
        });
        expect({ error, asked }).toEqual({ error: null, asked: ["so:sources_pool[1]", "fi:turn_9.files/none"] });
        expect(log).toContain("Büch not_found");
      });

      it("keeps files that were made before the timeout", async () => {
        // Several timeouts are tried, because a busy machine may start the program only after a short one.
        for (const seconds of [2, 8, 32]) {
          const { error, files } = await play(programs.stalls, { limits: { timeoutMs: seconds * 1000 } });
          const message = `The program took longer than ${seconds} s and was stopped.`;
          expect(error).toEqual({ code: "timeout", message });
          if (files["early.txt"] === "early") return;
        }
        expect.fail("The first file that the program wrote is missing.");
      });

      it("ends at once when it is aborted, with the reason, leaving nothing behind", async () => {
        const stop = new AbortController();
        let root = "";
        const playing = play(programs.stalls, {
          signal: stop.signal,
          prepare: async (stage) => {
            root = stage.root;
            untilMade(stage.path("out/turn_1/files/early.txt")).then(
              () => stop.abort(new Error("no longer wanted")),
              (error: unknown) => stop.abort(error),
            );
          },
        });
        await expect(playing).rejects.toThrow("no longer wanted");
        expect(await leftRunning(root)).toEqual([]);
      });

      it("runs several programs at a time, isolated from each other", async () => {
        const played = await Promise.all([1, 2, 3].map((n) => play(programs.says(`program ${n}`))));
        expect(played.map(({ log }) => log.trim())).toEqual(["program 1", "program 2", "program 3"]);
        expect(played.flatMap(({ left }) => left)).toEqual([]);
      });

      it("has an empty standard input and an empty environment", async () => {
        const { error, log } = await play(programs.looksAround);
        expect(error).toBeNull();
        expect(log).not.toContain(process.env.PATH ?? "no path");
        expect(log).toContain("input: 0");
      });

      it("shows the end of a long output, without half characters", async () => {
        const { error, log } = await play(programs.saysMuch);
        expect(error).toBeNull();
        expect(log.trimEnd().endsWith("the end")).toBe(true);
        expect(log.length).toBeLessThan(70_000);
        expect(log).not.toContain("\ufffd");
      });
    },
  );
}

async function playProgram(
  sandbox: Sandbox,
  language: Language,
  code: string,
  { limits, signal, answer, prepare }: PlayOptions = {},
): Promise<Played> {
  await using stage = await Stage.create("turn_1");
  await mkdir(stage.path("out/turn_1/attachments"), { recursive: true });
  await prepare?.(stage);
  await stageProgram(stage, { language, code, name: "my program" });
  const ended = new AbortController();
  const answering = answerQuestions(stage, answer ?? (async (path) => ({ path, error: null })), ended.signal);
  try {
    const bounds = { ...DEFAULT_LIMITS, ...limits };
    const run = await sandbox.run(
      { language, stage, limits: bounds },
      { signal: signal ?? new AbortController().signal },
    );
    return { ...run, files: await filesOf(stage), left: await leftRunning(stage.root) };
  } finally {
    ended.abort();
    await answering;
  }
}

async function filesOf(stage: Stage): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of ["made.txt", "old.txt", "early.txt", "deep/gone.txt"]) {
    const text = await readFile(stage.path(stage.filesFolder, name), "utf8").catch(() => null);
    if (text !== null) files[name] = text;
  }
  return files;
}

async function untilMade(path: string): Promise<void> {
  for (let look = 0; look < 2_000; look++) {
    if (await lstat(path).catch(() => null)) return;
    await pause(20);
  }
}
