/** Tests turns over a simulated provider in the app: approvals, steering, stopping, failures, and choices for a message. */
import { findBrowser } from "@cairn/testkit/system-package";
import { describe, expect, it } from "vitest";
import { ProviderApp } from "../test/provider-app.ts";
import { SOON } from "./browser.ts";

const chromium = findBrowser();

describe.skipIf(chromium.path === null)("turns over a provider", () => {
  const app = new ProviderApp(chromium.path ?? "");

  it("counts down to the next attempt while the model is overloaded, and stops at once when it is told to", async () => {
    app.bench.simulator.script([{ reply: { fault: "overloaded", retryAfter: 400 } }]);
    const page = await app.open();
    await app.at.say("Are you there?");
    const banner = page.getByText("The model cannot answer right now");
    await banner.waitFor();
    const seconds = async () => Number(/in (\d+) s/.exec((await banner.textContent()) ?? "")?.[1]);
    const first = await seconds();
    expect(first).toBeGreaterThan(300);
    await expect.poll(seconds, SOON).toBeLessThan(first);
    await page.getByRole("button", { name: "Stop", exact: true }).first().click();
    await page.getByText("Stopped").first().waitFor();
    expect(await banner.count()).toBe(0);
  });

  it("asks for approval, and does what it is told", async () => {
    const call = { name: "shop__order", input: { item: "flat stones", pieces: 12 } };
    app.bench.simulator.script([
      { reply: { text: "I order them.", calls: [call] } },
      { reply: { text: "They were refused." } },
      { reply: { calls: [call] } },
      { reply: { text: "They are on their way." } },
      { reply: { calls: [call] } },
    ]);
    const page = await app.open();
    await app.at.say("Order twelve flat stones");
    await page.getByRole("region", { name: "Approval needed" }).getByText("flat stones").waitFor();
    await page.getByText("The agent is waiting for your approval.").waitFor();
    await page.getByRole("textbox", { name: "Reason for the agent" }).fill("Too heavy.");
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("They were refused.").waitFor();
    await app.at.answered();
    expect(app.bench.simulator.requests.at(-1)?.bytes).toContain("Too heavy.");
    await app.at.say("Order them after all");
    await page.getByRole("button", { name: "Edit parameters" }).click();
    const params = page.getByRole("textbox", { name: "Parameters as JSON" });
    await params.fill("twelve");
    await page.getByText("This is not a JSON object.").waitFor();
    await params.fill('{"item":"round stones","pieces":2}');
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await page.getByText("They are on their way.").waitFor();
    await app.at.answered(2);
    expect(app.bench.simulator.requests.at(-1)?.bytes).toContain("round stones");
    expect(await page.getByRole("region", { name: "Approval needed" }).count()).toBe(0);
    await app.at.say("And once more");
    await page.getByRole("region", { name: "Approval needed" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await app.at.answered(3);
    expect(await page.getByRole("region", { name: "Approval needed" }).count()).toBe(0);
  });

  it("shows the progress of a tool, accepts a steering message meanwhile, and a follow-up after it", async () => {
    app.bench.simulator.script([
      // So long that even a busy machine writes the whole text within it.
      { reply: { calls: [{ name: "shop__count", input: { ms: 8_000 } }] } },
      {
        when: ({ texts }) => texts.some((text) => text.includes("Only the left shelves")),
        reply: { text: "Counted on the left." },
      },
      { when: ({ texts }) => texts.some((text) => text.includes("And what is in them?")), reply: { text: "Stones." } },
      { when: ({ texts }) => texts.some((text) => text.includes("Of which colour?")), reply: { text: "Grey." } },
    ]);
    const page = await app.open();
    await app.at.say("Count the stock");
    await page.getByText(/\d+ of 40 shelves/).waitFor();
    await app.at.keepPicture("progress");
    await app.at.say("Only the left shelves");
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("And what is in them?");
    await page.keyboard.press("Alt+Enter");
    await page.getByText("Starts when this turn ends").waitFor();
    await box.fill("Of which colour?");
    await page.getByRole("button", { name: "Send after this turn" }).click();
    await page.getByText("Starts when this turn ends").nth(1).waitFor();
    await page.getByText("Counted on the left.").waitFor();
    await page.getByText("Sent while the agent was working").waitFor();
    await app.at.answered(2);
    await page.getByRole("article", { name: "Answer 2" }).getByText("Stones.").waitFor();
    await app.at.answered(3);
    await page.getByRole("article", { name: "Answer 3" }).getByText("Grey.").waitFor();
  });

  it("stops when it is told to, keeps the text so far, and continues with the next message", async () => {
    app.bench.simulator.script([
      { reply: { text: "One. Two. Three. ".repeat(1_000), delayMs: 50 } },
      { reply: { text: "Of course." } },
    ]);
    const page = await app.open();
    await app.at.say("Count to a thousand");
    await page.locator("[data-row=live]").getByText("One. Two.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Stopped", { exact: true }).waitFor();
    await page.getByText("Cut off here.").waitFor();
    await app.at.say("Thank you");
    await page.getByText("Of course.").waitFor();
    await app.at.answered(2);
  });

  it("says that the model is overloaded, and recovers by itself", async () => {
    app.bench.simulator.script([
      { reply: { text: "Hello." } },
      { reply: { fault: "overloaded", retryAfter: 3 } },
      { reply: { text: "Here I am." } },
    ]);
    const page = await app.open();
    // The page then follows the conversation, even if this takes long.
    await app.at.say("Hello");
    await app.at.answered();
    await app.at.say("Are you there?");
    await page.getByText("The model cannot answer right now").waitFor();
    await app.at.keepPicture("overloaded");
    await page.getByText("Here I am.").waitFor();
    await app.at.answered(2);
    expect(await page.getByText("The model cannot answer right now").count()).toBe(0);
  });

  it("says why a turn failed and offers a retry, which works", async () => {
    app.bench.simulator.script([
      { reply: { fault: "status", status: 401, message: "invalid x-api-key" } },
      { reply: { text: "Now it works." } },
    ]);
    const page = await app.open();
    await app.at.say("Hello?");
    await page.getByText("invalid x-api-key").waitFor();
    await page.getByText("Set a valid key of this provider and start Cairn again.").waitFor();
    await page.getByRole("region", { name: "Conversation" }).getByText("The turn failed.").waitFor();
    await app.at.keepPicture("failed");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Now it works.").waitFor();
    await app.at.answered();
  });

  it("uses the model that is chosen for a message, and the usual one again after that", async () => {
    app.bench.simulator.script([{ reply: { text: "I am the usual one." } }, { reply: { text: "It is me again." } }]);
    const page = await app.open();
    const model = page.getByRole("combobox", { name: "Model" });
    await app.at.say("Who are you?");
    await page.getByText("I am the usual one.").waitFor();
    await app.at.answered();
    await model.selectOption("offline");
    await page.reload();
    await app.at.answered();
    expect(await model.inputValue()).toBe("offline");
    await app.at.say("Remember that the boat is blue");
    await page.getByText("Noted: the boat is blue").waitFor();
    await app.at.answered(2);
    await model.selectOption({ label: "usual model" });
    await app.at.say("And now?");
    await page.getByText("It is me again.").waitFor();
    await app.at.answered(3);
  });

  it("marks another conversation that asked or ended as unread, and notifies while the page is hidden", async () => {
    app.gate.close();
    const wait = { name: "gate__wait", input: {} };
    app.bench.simulator.script([
      { reply: { calls: [wait] } },
      { reply: { calls: [{ name: "shop__order", input: { item: "flat stones", pieces: 12 } }] } },
      { reply: { calls: [wait] } },
      { reply: { text: "They are on their way." } },
    ]);
    const page = await app.open();
    await page.addInitScript(() => {
      const shown: string[] = [];
      Reflect.set(globalThis, "shown", shown);
      globalThis.Notification = class extends Notification {
        // A browser without a screen denies the permission, even if it is granted.
        static override readonly permission = "granted";
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          shown.push(options?.body ?? "");
          Reflect.set(globalThis, "latest", this);
        }
      };
      Object.defineProperty(document, "hidden", { get: () => Reflect.get(globalThis, "isAway") === true });
    });
    await page.reload();
    const setAway = (isAway: boolean) => page.evaluate((value) => Reflect.set(globalThis, "isAway", value), isAway);
    const shown = () => page.evaluate(() => Reflect.get(globalThis, "shown") as readonly string[]);
    const unread = page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: /unread/ });
    await app.at.say("Order stones while I am away");
    await page.getByRole("button", { name: /gate: wait/ }).waitFor();
    await page.getByRole("link", { name: "New conversation" }).click();
    await page.getByRole("heading", { name: "What shall we look into?" }).waitFor();
    expect(await unread.count()).toBe(0);
    await setAway(true);
    app.gate.open();
    await unread.waitFor();
    await expect.poll(shown, SOON).toEqual(["The agent asks for your approval."]);
    app.gate.close();
    await setAway(false);
    await unread.click();
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await page
      .getByRole("button", { name: /gate: wait/ })
      .nth(1)
      .waitFor();
    await expect.poll(() => unread.count(), SOON).toBe(0);
    await page.getByRole("link", { name: "New conversation" }).click();
    await page.getByRole("heading", { name: "What shall we look into?" }).waitFor();
    await setAway(true);
    app.gate.open();
    await expect.poll(shown, SOON).toEqual(["The agent asks for your approval.", "The answer is ready."]);
    await setAway(false);
    await page.evaluate(() => (Reflect.get(globalThis, "latest") as Notification).dispatchEvent(new Event("click")));
    await app.at.answered();
    expect(await unread.count()).toBe(0);
  });

  it("asks for the reasoning that is chosen for a message", async () => {
    app.bench.simulator.script([
      { reply: { text: "Thought hard." } },
      { reply: { text: "As usual." } },
      { reply: { text: "Thought again." } },
      { reply: { text: "By budget." } },
    ]);
    const page = await app.open();
    const effort = page.getByRole("combobox", { name: "Reasoning" });
    await effort.selectOption("high");
    await app.at.say("Think");
    await page.getByText("Thought hard.").waitFor();
    await app.at.answered();
    await effort.selectOption({ label: "usual reasoning" });
    await app.at.say("And now?");
    await page.getByText("As usual.").waitFor();
    await app.at.answered(2);
    await effort.selectOption("low");
    await page.getByRole("button", { name: "Ask again" }).last().click();
    await page.getByText("Thought again.").waitFor();
    await app.at.answered(2);
    await effort.selectOption({ label: "usual reasoning" });
    await page.getByRole("spinbutton", { name: "Reasoning budget in tokens" }).fill("4000");
    const sent = page.waitForRequest(
      (each) => each.method() === "POST" && each.postData()?.includes("Within") === true,
    );
    await app.at.say("Within a budget");
    expect((await sent).postDataJSON()).toMatchObject({ reasoning: { budget_tokens: 4_000 } });
    await page.getByText("By budget.").waitFor();
    const [first, second, again] = app.bench.simulator.requests.slice(-4).map(({ body }) => body);
    expect(first).toMatchObject({ thinking: { type: "adaptive" }, output_config: { effort: "high" } });
    expect(second).not.toHaveProperty("thinking");
    expect(again).toMatchObject({ output_config: { effort: "low" } });
  });
});
