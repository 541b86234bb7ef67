/** Checks that a sandbox works by running a program in it that writes, reads and prints. */
import { DEFAULT_LIMITS } from "../process/limits.ts";
import type { Language } from "../stage/program.ts";
import { stageProgram } from "../stage/program.ts";
import { readLeftText } from "../stage/safe-read.ts";
import { Stage } from "../stage/stage.ts";
import { onOneLine } from "./outcome.ts";
import type { Sandbox } from "./sandbox.ts";

const TRIAL: Readonly<Record<Language, string>> = {
  python: "open(OUTPUT_DIR + '/turn_0/files/trial', 'w').write('works')",
  js: "require('node:fs').writeFileSync(OUTPUT_DIR + '/turn_0/files/trial', 'works')",
};

/** Runs a trial program; null when it works, otherwise the problem. `code` must write the same file as `TRIAL`. */
export async function tryProgram(
  language: Language,
  run: Sandbox["run"],
  code: string = TRIAL[language],
): Promise<string | null> {
  try {
    await using stage = await Stage.create("turn_0");
    await stageProgram(stage, { language, code, name: "trial" });
    const limits = { ...DEFAULT_LIMITS, timeoutMs: 120_000 };
    const { error, log } = await run({ language, stage, limits }, { signal: new AbortController().signal });
    if (error !== null) return onOneLine(`${error.message} ${log}`);
    const written = await readLeftText(stage.path(stage.filesFolder, "trial"), 100);
    return written === "works" ? null : "The trial program produced no file.";
  } catch (error) {
    return onOneLine(error instanceof Error ? error.message : String(error));
  }
}
