import { execFileSync } from "node:child_process";
import { chmod, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { answerQuestions } from "./answer-questions.ts";
import { Stage } from "./stage.ts";

async function ask(
  put: (stage: Stage) => Promise<void>,
  waitFor: readonly string[],
  mostBytes?: number,
): Promise<unknown[]> {
  await using stage = await Stage.create("turn_1");
  const ended = new AbortController();
  await put(stage);
  const answering = answerQuestions(stage, async (path) => ({ path, error: null }), ended.signal, mostBytes);
  const answers: unknown[] = [];
  for (const name of waitFor) {
    let text: string | null = null;
    for (let look = 0; text === null && look < 500; look++) {
      text = await readFile(stage.path("answers", name), "utf8").catch(() => null);
      if (text === null) await pause(10);
    }
    answers.push(JSON.parse(text ?? "null"));
  }
  ended.abort();
  await answering;
  return answers;
}

it("a malformed question is answered with the expected form, and other files are ignored", async () => {
  const put = async (stage: Stage) => {
    await symlink("/etc/passwd", stage.path("ask/1.json"));
    execFileSync("mkfifo", [stage.path("ask/2.json")]);
    await writeFile(stage.path("ask/3.json"), `{"path": "${"x".repeat(100_000)}"}`);
    await writeFile(stage.path("ask/4.json"), '{"path": 5}');
    await writeFile(stage.path("ask/0.json"), '{"path": "a"}');
    await writeFile(stage.path("ask/6.json.part"), '{"path": "a"}');
    await writeFile(stage.path("ask/7.json"), '{"path": "fi:a"}');
  };
  const bad = { error: expect.objectContaining({ code: "bad_question" }) };
  expect(await ask(put, ["1.json", "2.json", "3.json", "4.json", "7.json"])).toEqual([
    ...[bad, bad, bad, bad],
    { path: "fi:a", error: null },
  ]);
});

it("answers stop at the size limit", async () => {
  const put = async (stage: Stage) => {
    for (const name of ["1", "2", "7-1", "7-2"]) await writeFile(stage.path(`ask/${name}.json`), '{"path": "fi:a"}');
  };
  const answers = await ask(put, ["1.json", "2.json", "7-1.json", "7-2.json"], 40);
  const full = { error: expect.objectContaining({ code: "too_many_questions" }) };
  expect(answers.filter((answer) => expect.objectContaining({ error: null }).asymmetricMatch(answer))).toHaveLength(2);
  expect(answers.filter((answer) => expect.objectContaining(full).asymmetricMatch(answer))).toHaveLength(2);
});

it("a folder that is locked or removed only ends the questions", async () => {
  expect(await ask((stage) => chmod(stage.path("ask"), 0), [])).toEqual([]);
  expect(await ask((stage) => rm(stage.path("ask"), { recursive: true }), [])).toEqual([]);
});
