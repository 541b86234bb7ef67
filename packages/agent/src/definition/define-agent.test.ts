import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { expect, it } from "vitest";
import { offlineModel } from "../offline/offline-model.ts";
import { reactTools } from "../react/react-tools.ts";
import { loadSkills } from "../skill/load-skills.ts";
import { defineAgent } from "./define-agent.ts";

it("an agent with skills has them in its instructions and reads them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-skills-"));
  try {
    await mkdir(join(folder, "letters"));
    await writeFile(join(folder, "letters", "SKILL.md"), "---\ndescription: To write letters.\n---\nBe brief.\n");
    const skills = await loadSkills(folder);
    const settings = { name: "a", instructions: "You write.", model: offlineModel(), tools: reactTools() };
    expect(defineAgent(settings)).toEqual(settings);
    const { instructions, tools = [] } = defineAgent({ ...settings, skills });
    expect(tools).toHaveLength(reactTools().length);
    await using bench = await TurnBench.open({ agent: { instructions, tools } });
    const played = await playTurn(bench, [callOf("react.read", { paths: ["sk:letters"] })]);
    expect(played.contents("react.tool.result sk:letters")).toEqual(["Be brief.\n"]);
    expect(JSON.stringify(bench.simulator.requests[0]?.body)).toContain("- sk:letters: To write letters.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
