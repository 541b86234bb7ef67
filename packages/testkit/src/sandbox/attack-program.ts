/**
 * The programs that carry out attacks and report each, in one line: `RESULT <n> ESCAPED …` or `RESULT <n> CONTAINED …`.
 * Starting a sandbox takes longer than most attacks, so several attacks share one program if none of them can prevent
 * another.
 */
import { type Stage, stageProgram } from "@cairn/tools/exec";
import type { Attack } from "./attacks/attack.ts";
import type { CanaryFacts } from "./attacks/canary.ts";

/** Attacks that need their own limits, or evidence outside the program, run alone. */
export function standsAlone({ limits, evidence, isWhole }: Attack): boolean {
  return limits !== undefined || evidence !== undefined || isWhole === true;
}

/** Stages all attacks that are written in one language. */
export async function stageAttacks(
  stage: Stage,
  attacks: readonly Attack[],
  canary: CanaryFacts,
  patience: number,
): Promise<void> {
  const language = attacks[0]?.language ?? "python";
  const codes = attacks.map((attack) => attack.code(canary, patience));
  const [whole] = attacks;
  if (attacks.length === 1 && whole?.isWhole === true)
    return stageProgram(stage, { language, code: codes[0] ?? "", name: "attack" });
  if (language === "python") await stage.write("run/attacks.json", JSON.stringify(codes));
  else
    for (const [n, code] of codes.entries()) await stage.write(`run/attack-${n}.mjs`, `${code}\nexport { attack };\n`);
  const code = language === "python" ? PYTHON : JS.replace("COUNT", String(codes.length));
  return stageProgram(stage, { language, code, name: "attack" });
}

const PYTHON = `
import json, os
with open(os.path.join(OUTPUT_DIR, "..", "run", "attacks.json")) as file:
    codes = json.load(file)
for n, code in enumerate(codes):
    names = {"__name__": "attack", "OUTPUT_DIR": OUTPUT_DIR}
    try:
        exec(code, names)
        won = names["attack"]()
        print("RESULT", n, "ESCAPED" if won else "CONTAINED without an error", won, flush=True)
    except BaseException as error:
        print("RESULT", n, "CONTAINED", type(error).__name__, str(error).replace("\\n", " "), flush=True)
`;

const JS = `
for (let n = 0; n < COUNT; n++) {
  try {
    const { attack } = await import("file://" + OUTPUT_DIR + "/../run/attack-" + n + ".mjs");
    const won = await attack();
    console.log("RESULT", n, won ? "ESCAPED" : "CONTAINED without an error", won);
  } catch (error) {
    console.log("RESULT", n, "CONTAINED", String(error?.name), String(error?.message).replaceAll("\\n", " "));
  }
}
process.exit(0);
`;

/** The report of the n-th attack; the whole output for an attack that runs alone. */
export function resultOf(log: string, n: number, attacks: readonly Attack[]): string {
  if (attacks.length === 1) return log;
  return log.split("\n").find((line) => line.startsWith(`RESULT ${n} `)) ?? "";
}
