/** Records each test file of a hunt for flaky tests when it is done; what vitest prints goes to a file beside it. */
import { relative } from "node:path";
import { DefaultReporter, type TestModule } from "vitest/node";
import { TESTS_FOLDER } from "../durations.ts";
import { projectRoot } from "../run-command.ts";
import { FlakeState, OUTSIDE } from "./flake-state.ts";

export default class FlakeReporter extends DefaultReporter {
  readonly #state = new FlakeState(TESTS_FOLDER);
  readonly #round = Number(process.env.CAIRN_FLAKES_ROUND);

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    // A file that was cut short by an interrupt has not run.
    if (module.state() === "pending" || module.state() === "queued") return;
    const file = relative(projectRoot, module.moduleId);
    this.#state.record({ round: this.#round, file, passed: module.ok(), ms: module.diagnostic().duration });
  }

  override onTestRunEnd(...args: Parameters<DefaultReporter["onTestRunEnd"]>): void {
    super.onTestRunEnd(...args);
    const [, errors, reason] = args;
    if (reason !== "interrupted" && errors.length > 0)
      this.#state.record({ round: this.#round, file: OUTSIDE, passed: false, ms: 0 });
  }
}
