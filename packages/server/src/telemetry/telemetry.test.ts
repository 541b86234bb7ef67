/** Tests the metrics as Prometheus reads them. */
import { expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";
import { newToken } from "../auth/tokens.ts";
import { createTelemetry } from "./telemetry.ts";

it("counts by upper bounds in seconds, and reads gauges when it is asked", async () => {
  let running = 0;
  const telemetry = createTelemetry({ running: () => running, waiting: () => 0, followers: () => 0 });
  for (const seconds of [0.005, 0.2, 90]) telemetry.turnDone(seconds, { exit: "complete" });
  running = 3;
  const lines = (await telemetry.metricsText({ isOperator: true })).split("\n");
  const buckets = lines
    .filter((line) => line.startsWith("cairn_turn_seconds_bucket"))
    .map((line) => line.split(" ")[1]);
  expect(buckets).toEqual(["1", "1", "1", "1", "1", "2", "2", "2", "2", "2", "2", "2", "2", "3"]);
  expect(lines).toEqual(
    expect.arrayContaining([
      "# HELP cairn_turns_running Turns running in this process.",
      "# TYPE cairn_turns_running gauge",
      "cairn_turns_running 3",
      'cairn_turn_seconds_bucket{le="+Inf",exit="complete"} 3',
      'cairn_turn_seconds_sum{exit="complete"} 90.205',
      "cairn_turns_refused_total 0",
    ]),
  );
});

it("reports requests, turns, frames and tokens of a server, and no content of messages", async () => {
  await using bench = await ServerBench.open();
  const id = await bench.converse();
  await bench.say(id, "Hello Zanzibar");
  await bench.fetch("/api/none");
  const text = await (await bench.fetch("/metrics")).text();
  const value = (name: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.split(" ")[1],
    );
  expect(value('cairn_turn_seconds_count{exit="complete"}')).toBe(1);
  expect(
    value('cairn_http_request_seconds_count{method="POST",route="/api/conversations/{id}/turns",status="202"}'),
  ).toBe(1);
  expect(value('cairn_http_request_seconds_count{method="GET",route="none",status="404"}')).toBe(1);
  expect(value('cairn_model_tokens_total{kind="output"}')).toBeGreaterThan(0);
  expect(value('cairn_stream_frames_total{kind="event"}')).toBeGreaterThan(5);
  expect(value("cairn_turns_running")).toBe(0);
  expect(value("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  expect(text).not.toMatch(/Zanzibar|conv_/);
  const named = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  for (const line of text
    .trimEnd()
    .split("\n")
    .filter((each) => each !== "" && !each.startsWith("#"))) {
    const [, name = ""] = /^(\w+)(?:\{[^}]*(?:\{\w+\}[^}]*)*\})? -?[\d.e+-]+$/.exec(line) ?? [];
    expect([line, named.has(name.replace(/_(?:bucket|sum|count)$/, "")) || named.has(name)]).toEqual([line, true]);
  }
});

it("reports everybody's spending to an operator, and to nobody else with a token", async () => {
  const scope = { tenant: "acme", project: "site", user: "ada" };
  const [user, operator] = [newToken(scope), newToken({ ...scope, operator: true })];
  await using bench = await ServerBench.open({ server: { tokens: JSON.stringify([user.entry, operator.entry]) } });
  const numbersFor = async (token: string) =>
    (await bench.fetch("/metrics", { headers: { authorization: `Bearer ${token}` } })).text();
  const [few, all] = [await numbersFor(user.token), await numbersFor(operator.token)];
  for (const name of ["cairn_model_tokens_total", "cairn_model_dollars_total"])
    expect([name, few.includes(name), all.includes(name)]).toEqual([name, false, true]);
  expect(few).toContain("cairn_followers 0");
});
