/** Tests an agent with a fallback in the app: the user is told which model answers and why. */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench } from "@cairn/testkit/web";
import { describe, expect, it } from "vitest";
import { TestBrowser } from "./browser.ts";

const chromium = findBrowser();

describe.skipIf(chromium.path === null)("the chat of an agent with a fallback", () => {
  it("says that another model answered, also when the page is loaded again", async () => {
    await using bench = await AppBench.open({ model: "simulated", hasFallback: true });
    await using browser = await TestBrowser.launch(chromium.path ?? "");
    bench.simulator.script([{ reply: { fault: "status", status: 401 }, times: Number.POSITIVE_INFINITY }]);
    await using at = await browser.open(bench.address);
    await at.say("Are you there?");
    await at.answered();
    const notice = at.page.getByText(/could not answer: .* offline answers instead\./);
    await notice.waitFor();
    await at.page.reload();
    await notice.waitFor();
    expect(await at.faults()).toEqual([]);
    at.complaints.splice(0);
  });
});
