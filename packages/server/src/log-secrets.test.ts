import { redactor, secretsOf } from "@cairn/agent";
import { createLog } from "cairn-agent/turns";
import { describe, expect, it } from "vitest";

describe("a log", () => {
  const written = (error: unknown, env: Record<string, string> = {}) => {
    const lines: string[] = [];
    const log = createLog(
      { write: (line: string) => lines.push(line) > 0 },
      Date.now,
      "info",
      redactor(secretsOf(env)),
    );
    log.error("It failed.", error, { route: "/api/meta" });
    return lines.join("");
  };

  it.each([
    `cairn_${"a".repeat(43)}`,
    "Bearer abc.def-123",
    "Authorization: Basic hunter2hunter2",
    "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.hunter2",
    "sk-ant-api03-abcdefgh",
    "tvly-hunter2hunter2",
    "AKIAHUNTER2HUNTER2AB",
    "AIzaSyA1234567890abcdefghij",
    '{"api_key":"hunter2"}',
    '{"headers":{"x-api-key": "hunter2"}}',
    "password=hunter2",
    "https://example.com/?access_token=hunter2&x=1",
    "ANTHROPIC_API_KEY=hunter2",
    "postgres://ada:hunter2@db.example.com:5432/cairn",
  ])("does not contain %s, in a text or in a text within a text", (secret) => {
    for (const text of [secret, JSON.stringify({ error: secret }), JSON.stringify(JSON.stringify({ secret }))]) {
      const line = written(new Error(`before ${text} after`));
      expect(line).not.toMatch(/hunter2|HUNTER2|abc\.def|aaaa|ant-api03|SyA123/);
      expect(JSON.parse(line)).toMatchObject({ error: expect.stringMatching(/^before .* after$/), route: "/api/meta" });
    }
  });

  it("does not contain secrets of the environment, in any form", () => {
    const env = {
      BRAVE_API_KEY: "opensesame",
      CAIRN_DATABASE_URL: "postgres://ada:p%40ssw0rd!@db/cairn",
      HOME: "/home/ada",
    };
    const line = written(new Error("opensesame p%40ssw0rd! p@ssw0rd! /home/ada"), env);
    expect(JSON.parse(line).error).toBe("[removed] [removed] [removed] /home/ada");
  });

  it("shows text without secrets unchanged", () => {
    const text = "The token is not signed by its issuer. A key: none. http://127.0.0.1:80/a@b 12:30";
    expect(JSON.parse(written(new Error(text))).error).toBe(text);
  });
});
