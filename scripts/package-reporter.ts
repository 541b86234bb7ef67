/**
 * What a whole run prints: a progress count, one line for each package when its last file is done, and every failure in
 * full at the end. The counts of the closing line come from the JSON report that is written beside this one.
 */
import { relative } from "node:path";
import { DefaultReporter, type TestCase, type TestModule, type TestSpecification, type TestSuite } from "vitest/node";
import { describeDuration, PackageProgress } from "./package-progress.ts";
import { projectRoot } from "./run-command.ts";

/** If the output is not a terminal, whose last line could be rewritten, the progress is printed ten times. */
const STEPS = 10;

export default class PackageReporter extends DefaultReporter {
  #progress = new PackageProgress([]);
  #step = 0;
  readonly #failed: TestCase[] = [];

  constructor() {
    super({ summary: false });
  }

  override onInit(vitest: DefaultReporter["ctx"]): void {
    this.ctx = vitest;
    this.silent = "passed-only";
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#progress = new PackageProgress(specifications.map(({ moduleId }) => relative(projectRoot, moduleId)));
  }

  override onTestCaseResult(test: TestCase): void {
    if (test.result().state === "failed") this.#failed.push(test);
  }

  override onTestSuiteResult(_: TestSuite): void {}

  override onTestModuleEnd(module: TestModule): void {
    const file = relative(projectRoot, module.moduleId);
    const states = [...module.children.allTests()].map((test) => test.result().state);
    const failed = states.filter((state) => state === "failed").length;
    const line = this.#progress.finish(file, {
      passed: states.filter((state) => state === "passed").length,
      failed: module.ok() ? failed : Math.max(failed, 1),
      skipped: states.filter((state) => state === "skipped").length,
      ms: module.diagnostic().duration,
    });
    this.#erase();
    if (!module.ok()) console.log(`✗ ${file}`);
    if (line !== null) console.log(line);
    this.#printProgress();
  }

  override onTestRunEnd(...args: Parameters<DefaultReporter["onTestRunEnd"]>): void {
    this.#erase();
    for (const test of this.#failed) super.onTestCaseResult(test);
    super.onTestRunEnd(...args);
  }

  /** The summary line of the run contains the counts. */
  override reportTestSummary(): void {}

  #printProgress(): void {
    const { finished, total } = this.#progress;
    const line = `${finished} of ${total} files, ${describeDuration(performance.now() - this.start)}`;
    if (this.isTTY) process.stdout.write(line);
    else if (Math.floor((finished / total) * STEPS) > this.#step) {
      this.#step = Math.floor((finished / total) * STEPS);
      console.log(line);
    }
  }

  #erase(): void {
    if (this.isTTY) process.stdout.write("\r\u001b[K");
  }
}
