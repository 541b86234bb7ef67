/** The app over a simulated provider, in a browser, for the tests of one file. */
import { AppBench, benchTools, Gate } from "@cairn/testkit/web";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { closeAll, TestBrowser, type TestPage } from "../e2e/browser.ts";

export class ProviderApp {
  readonly gate = new Gate();
  bench!: AppBench;
  browser!: TestBrowser;
  /** The page that `open` opened last. */
  at!: TestPage;

  /** `chromium`: the path of the browser. */
  constructor(chromium: string) {
    beforeAll(async () => {
      this.bench = await AppBench.open({
        model: "simulated",
        tools: [...benchTools, this.gate.tool],
        env: { CAIRN_MODELS: "offline" },
      });
      this.browser = await TestBrowser.launch(chromium);
    });
    afterEach(async () => {
      expect(await this.at.close()).toEqual([]);
      expect(this.bench.simulator.remaining).toEqual([]);
    });
    afterAll(() => closeAll(this.browser, this.bench));
  }

  async open() {
    this.at = await this.browser.open(this.bench.address);
    return this.at.page;
  }
}
