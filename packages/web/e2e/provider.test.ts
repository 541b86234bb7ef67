/** Tests the chat over a simulated provider: what a language model does that the offline model does not. */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench, benchTools, Gate } from "@cairn/testkit/web";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeAll, PHONE, SOON, TestBrowser, type TestPage } from "./browser.ts";
import { HOSTILE_ANSWER, HOSTILE_NAME, HOSTILE_SVG, hostileHtml } from "./hostile.ts";
import { RICH_ANSWER } from "./rich-answer.ts";

const chromium = findBrowser();

describe.skipIf(chromium.path === null)("the chat over a provider", () => {
  const gate = new Gate();
  let bench: AppBench;
  let browser: TestBrowser;
  let at: TestPage;
  beforeAll(async () => {
    bench = await AppBench.open({
      model: "simulated",
      tools: [...benchTools, gate.tool],
      env: { CAIRN_MODELS: "offline" },
    });
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterEach(async () => {
    expect(await at.close()).toEqual([]);
    expect(bench.simulator.remaining).toEqual([]);
  });
  afterAll(() => closeAll(browser, bench));

  const open = async () => {
    at = await browser.open(bench.address);
    return at.page;
  };

  it("continues where it was when it is reloaded in the middle of an answer", async () => {
    const text = `It begins here. ${"And it goes on for a while. ".repeat(30)}It ends here.`;
    // Long enough for a busy machine to load the page again meanwhile.
    bench.simulator.script([{ reply: { text, delayMs: 120, pieceSize: 12 } }]);
    const page = await open();
    await at.say("Tell me a story");
    await page.getByText("It begins here.").waitFor();
    expect(await page.locator("[data-row=live]").count()).toBe(1);
    await at.keepPicture("streaming");
    await page.reload();
    await page.locator("[data-row=live]").getByText("It begins here.").waitFor();
    await page.getByText("It ends here.").waitFor();
    await at.answered();
    expect((await page.locator("[data-row=answer]").textContent())?.trim()).toBe(text);
    expect(await page.locator("[data-row=live]").count()).toBe(0);
  });

  it("shows reasoning while it is written, and then folded in the step it led to, also after a reload", async () => {
    bench.simulator.script([
      {
        reply: {
          thinking: "They want a note, so I write one.",
          calls: [{ name: "react__write", input: { path: "files/n.md", channel: "canvas", content: "Hi." } }],
        },
      },
      { reply: { thinking: `It is written. ${"I look at it again. ".repeat(20)}`, text: "Done.", delayMs: 60 } },
    ]);
    const page = await open();
    await at.say("Write a note");
    await page.getByRole("region", { name: "Thinking" }).getByText("It is written.").waitFor();
    await at.answered();
    expect(await page.getByText("It is written.").count()).toBe(0);
    const look = async () => {
      const answer = page.locator("[data-row=answer]");
      await answer.getByRole("button", { name: "Reasoning" }).click();
      await answer.getByText("It is written.").waitFor();
      await page.locator("[data-row=work]").getByRole("button").first().click();
      const round = page.locator("[data-row=round]").first();
      await round.getByRole("button", { name: "Reasoning" }).click();
      await round.getByText("They want a note, so I write one.").waitFor();
    };
    await look();
    await page.reload();
    await at.answered();
    await look();
  });

  it("shows an answer that came in several parts as one", async () => {
    bench.simulator.script([
      { reply: { text: "The first half of the answer, ", truncated: true } },
      { reply: { text: "and the second half, slowly.", delayMs: 200, pieceSize: 8 } },
    ]);
    const page = await open();
    await at.say("Tell me in parts");
    await page.locator("[data-row=live]").getByText("The first half of the answer, and").waitFor();
    await at.answered();
    const whole = "The first half of the answer, and the second half, slowly.";
    expect((await page.locator("[data-row=answer]").textContent())?.trim()).toBe(whole);
    expect(await page.getByText("The first half of the answer").count()).toBe(1);
  });

  it("counts down to the next attempt while the model is overloaded, and stops at once when it is told to", async () => {
    bench.simulator.script([{ reply: { fault: "overloaded", retryAfter: 400 } }]);
    const page = await open();
    await at.say("Are you there?");
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

  it("draws only the block that is being written", async () => {
    const paragraph = "A paragraph of the answer that is long enough to be looked at. ";
    bench.simulator.script([
      { reply: { text: "The first answer." } },
      { reply: { text: `${paragraph}\n\n`.repeat(60), delayMs: 30, pieceSize: 40 } },
    ]);
    const page = await open();
    await at.say("First");
    await at.answered();
    await at.say("Second");
    await page.locator("[data-row=live] p").nth(4).waitFor();
    const drawn = await page.evaluate(async () => {
      const live = [...document.querySelectorAll("[data-row=live] .prose > *")];
      const finished = [...live.slice(0, -1), ...document.querySelectorAll("[data-row=answer], [data-row=prompt]")];
      let touched = 0;
      let all = 0;
      const observer = new MutationObserver((records) => {
        for (const { target } of records) {
          all++;
          if (finished.some((element) => element.contains(target))) touched++;
        }
      });
      const rows = document.querySelector("[aria-label=Conversation]");
      if (rows !== null)
        observer.observe(rows, { subtree: true, childList: true, characterData: true, attributes: true });
      // Whether the page shows an answer that is still being written.
      const isLive = () => document.querySelector("[data-row=live]") !== null;
      while (all <= 20 && isLive()) await new Promise((resolve) => setTimeout(resolve, 50));
      observer.disconnect();
      return { all, touched, watched: finished.length };
    });
    expect(drawn.watched).toBeGreaterThan(5);
    expect(drawn.all).toBeGreaterThan(5);
    expect(drawn.touched).toBe(0);
    await at.answered(2);
  });

  it("renders markdown, tables, code and math, and shows none of their syntax while they are written", async () => {
    bench.simulator.script([{ reply: { text: RICH_ANSWER, delayMs: 10, pieceSize: 4 } }]);
    const page = await open();
    await page.evaluate(() => {
      const seen: string[] = [];
      Reflect.set(globalThis, "seen", seen);
      // Formulas and code are left out, because their source may be visible until they are drawn.
      const look = () => {
        const live = document.querySelector("[data-row=live] .prose")?.cloneNode(true);
        if (live instanceof Element) {
          for (const part of live.querySelectorAll("figure, .katex, .katex-block")) part.remove();
          seen.push(live.textContent ?? "");
        }
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await at.say("Show me everything");
    await at.answered();
    const seen = await page.evaluate(() => Reflect.get(globalThis, "seen") as string[]);
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.filter((text) => /\*\*|\]\(|\|[\s:]*-|\$\$|`/.test(text))).toEqual([]);
    await page.getByRole("columnheader", { name: "Cairns" }).waitFor();
    await page.locator("code .hljs-keyword").first().waitFor();
    await expect.poll(() => page.locator(".katex").count(), SOON).toBe(3);
    expect(await page.locator("pre").first().textContent()).toContain("const stones");
  });

  it("shows structured output as code", async () => {
    bench.simulator.script([{ reply: { text: '{"score":3,"why":"*short*"}' } }]);
    const post = async (path: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${bench.address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return (await answer.json()) as { readonly conversation_id: string };
    };
    const { conversation_id: id } = await post("/api/conversations", {});
    await post(`/api/conversations/${id}/turns`, { message: "Grade it", output: { type: "object" } });
    const page = await open();
    await page.goto(`${bench.address}/c/${id}`);
    await at.answered();
    const code = page.locator("[data-row=answer] pre");
    expect(JSON.parse((await code.textContent()) ?? "")).toEqual({ score: 3, why: "*short*" });
  });

  it("asks for approval, and does what it is told", async () => {
    const call = { name: "shop__order", input: { item: "flat stones", pieces: 12 } };
    bench.simulator.script([
      { reply: { text: "I order them.", calls: [call] } },
      { reply: { text: "They were refused." } },
      { reply: { calls: [call] } },
      { reply: { text: "They are on their way." } },
      { reply: { calls: [call] } },
    ]);
    const page = await open();
    await at.say("Order twelve flat stones");
    await page.getByRole("region", { name: "Approval needed" }).getByText("flat stones").waitFor();
    await page.getByText("The agent is waiting for your approval.").waitFor();
    await page.getByRole("textbox", { name: "Reason for the agent" }).fill("Too heavy.");
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("They were refused.").waitFor();
    await at.answered();
    expect(bench.simulator.requests.at(-1)?.bytes).toContain("Too heavy.");
    await at.say("Order them after all");
    await page.getByRole("button", { name: "Edit parameters" }).click();
    const params = page.getByRole("textbox", { name: "Parameters as JSON" });
    await params.fill("twelve");
    await page.getByText("This is not a JSON object.").waitFor();
    await params.fill('{"item":"round stones","pieces":2}');
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await page.getByText("They are on their way.").waitFor();
    await at.answered(2);
    expect(bench.simulator.requests.at(-1)?.bytes).toContain("round stones");
    expect(await page.getByRole("region", { name: "Approval needed" }).count()).toBe(0);
    await at.say("And once more");
    await page.getByRole("region", { name: "Approval needed" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await at.answered(3);
    expect(await page.getByRole("region", { name: "Approval needed" }).count()).toBe(0);
  });

  it("shows the progress of a tool, accepts a steering message meanwhile, and a follow-up after it", async () => {
    bench.simulator.script([
      // So long that a busy machine can write all of the text meanwhile.
      { reply: { calls: [{ name: "shop__count", input: { ms: 8_000 } }] } },
      {
        when: ({ texts }) => texts.some((text) => text.includes("Only the left shelves")),
        reply: { text: "Counted on the left." },
      },
      { when: ({ texts }) => texts.some((text) => text.includes("And what is in them?")), reply: { text: "Stones." } },
      { when: ({ texts }) => texts.some((text) => text.includes("Of which colour?")), reply: { text: "Grey." } },
    ]);
    const page = await open();
    await at.say("Count the stock");
    await page.getByText(/\d+ of 40 shelves/).waitFor();
    await at.keepPicture("progress");
    await at.say("Only the left shelves");
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("And what is in them?");
    await page.keyboard.press("Alt+Enter");
    await page.getByText("Starts when this turn ends").waitFor();
    await box.fill("Of which colour?");
    await page.getByRole("button", { name: "Send after this turn" }).click();
    await page.getByText("Starts when this turn ends").nth(1).waitFor();
    await page.getByText("Counted on the left.").waitFor();
    await page.getByText("Sent while the agent was working").waitFor();
    await at.answered(2);
    await page.getByRole("article", { name: "Answer 2" }).getByText("Stones.").waitFor();
    await at.answered(3);
    await page.getByRole("article", { name: "Answer 3" }).getByText("Grey.").waitFor();
  });

  it("stops when it is told to, keeps the text so far, and continues with the next message", async () => {
    bench.simulator.script([
      { reply: { text: "One. Two. Three. ".repeat(1_000), delayMs: 50 } },
      { reply: { text: "Of course." } },
    ]);
    const page = await open();
    await at.say("Count to a thousand");
    await page.locator("[data-row=live]").getByText("One. Two.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Stopped", { exact: true }).waitFor();
    await page.getByText("Cut off here.").waitFor();
    await at.say("Thank you");
    await page.getByText("Of course.").waitFor();
    await at.answered(2);
  });

  it("says that the model is overloaded, and recovers by itself", async () => {
    bench.simulator.script([
      { reply: { text: "Hello." } },
      { reply: { fault: "overloaded", retryAfter: 3 } },
      { reply: { text: "Here I am." } },
    ]);
    const page = await open();
    // The page follows the conversation by then, however long that takes.
    await at.say("Hello");
    await at.answered();
    await at.say("Are you there?");
    await page.getByText("The model cannot answer right now").waitFor();
    await at.keepPicture("overloaded");
    await page.getByText("Here I am.").waitFor();
    await at.answered(2);
    expect(await page.getByText("The model cannot answer right now").count()).toBe(0);
  });

  it("says why a turn failed and offers a retry, which works", async () => {
    bench.simulator.script([
      { reply: { fault: "status", status: 401, message: "invalid x-api-key" } },
      { reply: { text: "Now it works." } },
    ]);
    const page = await open();
    await at.say("Hello?");
    await page.getByText("invalid x-api-key").waitFor();
    await page.getByText("Set a valid key of this provider and start Cairn again.").waitFor();
    await page.getByRole("region", { name: "Conversation" }).getByText("The turn failed.").waitFor();
    await at.keepPicture("failed");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Now it works.").waitFor();
    await at.answered();
  });

  it("uses the model that is chosen for a message, and the usual one again after that", async () => {
    bench.simulator.script([{ reply: { text: "I am the usual one." } }, { reply: { text: "It is me again." } }]);
    const page = await open();
    const model = page.getByRole("combobox", { name: "Model" });
    await at.say("Who are you?");
    await page.getByText("I am the usual one.").waitFor();
    await at.answered();
    await model.selectOption("offline");
    await page.reload();
    await at.answered();
    expect(await model.inputValue()).toBe("offline");
    await at.say("Remember that the boat is blue");
    await page.getByText("Noted: the boat is blue").waitFor();
    await at.answered(2);
    await model.selectOption({ label: "usual model" });
    await at.say("And now?");
    await page.getByText("It is me again.").waitFor();
    await at.answered(3);
  });

  it("marks a conversation that asked or ended elsewhere as unread, and notifies while the page is hidden", async () => {
    gate.close();
    const wait = { name: "gate__wait", input: {} };
    bench.simulator.script([
      { reply: { calls: [wait] } },
      { reply: { calls: [{ name: "shop__order", input: { item: "flat stones", pieces: 12 } }] } },
      { reply: { calls: [wait] } },
      { reply: { text: "They are on their way." } },
    ]);
    const page = await open();
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
    await at.say("Order stones while I am away");
    await page.getByRole("button", { name: /gate: wait/ }).waitFor();
    await page.getByRole("link", { name: "New conversation" }).click();
    await page.getByRole("heading", { name: "What shall we look into?" }).waitFor();
    expect(await unread.count()).toBe(0);
    await setAway(true);
    gate.open();
    await unread.waitFor();
    await expect.poll(shown, SOON).toEqual(["The agent asks for your approval."]);
    gate.close();
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
    gate.open();
    await expect.poll(shown, SOON).toEqual(["The agent asks for your approval.", "The answer is ready."]);
    await setAway(false);
    await page.evaluate(() => (Reflect.get(globalThis, "latest") as Notification).dispatchEvent(new Event("click")));
    await at.answered();
    expect(await unread.count()).toBe(0);
  });

  it("keeps numbers of a table whole on a phone", async () => {
    const row = "| A long name of a part of the path that has to wrap | 1,234,567.89 | −12.5 % | 2026-11-16 |";
    bench.simulator.script([{ reply: { text: `| Part | Cost | Change | Since |\n|---|---|---|---|\n${row}\n` } }]);
    const page = await open();
    await page.setViewportSize(PHONE);
    await at.say("What does it cost?");
    await at.answered();
    const lines = await page.locator("td").evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size;
      }),
    );
    expect(lines[0]).toBeGreaterThan(1);
    expect(lines.slice(1)).toEqual([1, 1, 1]);
  });

  it("asks for the reasoning that is chosen for a message", async () => {
    bench.simulator.script([
      { reply: { text: "Thought hard." } },
      { reply: { text: "As usual." } },
      { reply: { text: "Thought again." } },
      { reply: { text: "By budget." } },
    ]);
    const page = await open();
    const effort = page.getByRole("combobox", { name: "Reasoning" });
    await effort.selectOption("high");
    await at.say("Think");
    await page.getByText("Thought hard.").waitFor();
    await at.answered();
    await effort.selectOption({ label: "usual reasoning" });
    await at.say("And now?");
    await page.getByText("As usual.").waitFor();
    await at.answered(2);
    await effort.selectOption("low");
    await page.getByRole("button", { name: "Ask again" }).last().click();
    await page.getByText("Thought again.").waitFor();
    await at.answered(2);
    await effort.selectOption({ label: "usual reasoning" });
    await page.getByRole("spinbutton", { name: "Reasoning budget in tokens" }).fill("4000");
    const sent = page.waitForRequest(
      (each) => each.method() === "POST" && each.postData()?.includes("Within") === true,
    );
    await at.say("Within a budget");
    expect((await sent).postDataJSON()).toMatchObject({ reasoning: { budget_tokens: 4_000 } });
    await page.getByText("By budget.").waitFor();
    const [first, second, again] = bench.simulator.requests.slice(-4).map(({ body }) => body);
    expect(first).toMatchObject({ thinking: { type: "adaptive" }, output_config: { effort: "high" } });
    expect(second).not.toHaveProperty("thinking");
    expect(again).toMatchObject({ output_config: { effort: "low" } });
  });

  it("executes nothing that a model, a file or a name contains, and loads nothing from elsewhere", async () => {
    const write = (path: string, content: string) => ({
      name: "react__write",
      input: { path, channel: "canvas", kind: "file", content },
    });
    bench.simulator.script([
      {
        reply: {
          text: HOSTILE_ANSWER,
          calls: [
            write("files/page.html", hostileHtml("http://evil.invalid")),
            write("files/picture.svg", HOSTILE_SVG),
            write(`files/${HOSTILE_NAME}`, HOSTILE_ANSWER),
          ],
        },
      },
      { reply: { text: HOSTILE_ANSWER } },
    ]);
    const page = await open();
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http") && host !== new URL(bench.address).host) elsewhere.push(request.url());
    });
    await at.say("<img src=x onerror=alert(1)><script>alert(2)</script> javascript:alert(3)");
    await at.answered();
    await at.keepPicture("hostile");
    // `hostile-html.test.ts` opens the page.
    for (const name of ["picture.svg", HOSTILE_NAME]) {
      await page.getByRole("list", { name: "Files" }).getByRole("button", { name }).click();
      await page.getByRole("dialog", { name }).waitFor();
      await page.waitForTimeout(300);
      await page.keyboard.press("Escape");
    }
    for (const link of await page.locator("main a[href]").all())
      expect(await link.getAttribute("href")).toMatch(/^(?:https?:|mailto:|\/)/);
    expect(await page.locator("main iframe, main script, main object, main embed").count()).toBe(0);
    expect(await page.evaluate(() => Reflect.get(globalThis, "wasHarmed") ?? null)).toBeNull();
    expect(elsewhere).toEqual([]);
    for (const path of ["page.html", "picture.svg"]) {
      const address = await page.getByRole("link", { name: `Download ${path}` }).getAttribute("href");
      await page.goto(`${bench.address}${address}`).catch(() => undefined); // A download ends the navigation.
      expect(await page.evaluate(() => Reflect.get(globalThis, "wasHarmed") ?? null)).toBeNull();
      await page.goBack().catch(() => undefined);
      await page.goto(bench.address);
      await page.getByRole("navigation", { name: "Conversations" }).locator("ul").getByRole("link").first().click();
      await at.answered();
    }
  });
});
