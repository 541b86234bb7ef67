/** Tests answers of a simulated provider in the app, with content that the offline model does not write. */
import { findBrowser } from "@cairn/testkit/system-package";
import { describe, expect, it } from "vitest";
import { ProviderApp } from "../test/provider-app.ts";
import { PHONE, SOON } from "./browser.ts";
import { HOSTILE_ANSWER, HOSTILE_NAME, HOSTILE_SVG, hostileHtml } from "./hostile.ts";
import { RICH_ANSWER } from "./rich-answer.ts";

const chromium = findBrowser();

describe.skipIf(chromium.path === null)("answers of a provider", () => {
  const app = new ProviderApp(chromium.path ?? "");

  it("continues where it was when it is reloaded in the middle of an answer", async () => {
    const text = `It begins here. ${"And it goes on for a while. ".repeat(30)}It ends here.`;
    // Long enough for a busy machine to reload the page in this time.
    app.bench.simulator.script([{ reply: { text, delayMs: 120, pieceSize: 12 } }]);
    const page = await app.open();
    await app.at.say("Tell me a story");
    await page.getByText("It begins here.").waitFor();
    expect(await page.locator("[data-row=live]").count()).toBe(1);
    await app.at.keepPicture("streaming");
    await page.reload();
    await page.locator("[data-row=live]").getByText("It begins here.").waitFor();
    await page.getByText("It ends here.").waitFor();
    await app.at.answered();
    expect((await page.locator("[data-row=answer]").textContent())?.trim()).toBe(text);
    expect(await page.locator("[data-row=live]").count()).toBe(0);
  });

  it("shows reasoning while it is written, and then folded in the step it led to, also after a reload", async () => {
    app.bench.simulator.script([
      {
        reply: {
          thinking: "They want a note, so I write one.",
          calls: [{ name: "react__write", input: { path: "files/n.md", channel: "canvas", content: "Hi." } }],
        },
      },
      { reply: { thinking: `It is written. ${"I look at it again. ".repeat(20)}`, text: "Done.", delayMs: 60 } },
    ]);
    const page = await app.open();
    await app.at.say("Write a note");
    await page.getByRole("region", { name: "Thinking" }).getByText("It is written.").waitFor();
    await app.at.answered();
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
    await app.at.answered();
    await look();
  });

  it("shows an answer that came in several parts as one", async () => {
    app.bench.simulator.script([
      { reply: { text: "The first half of the answer, ", truncated: true } },
      { reply: { text: "and the second half, slowly.", delayMs: 200, pieceSize: 8 } },
    ]);
    const page = await app.open();
    await app.at.say("Tell me in parts");
    await page.locator("[data-row=live]").getByText("The first half of the answer, and").waitFor();
    await app.at.answered();
    const whole = "The first half of the answer, and the second half, slowly.";
    expect((await page.locator("[data-row=answer]").textContent())?.trim()).toBe(whole);
    expect(await page.getByText("The first half of the answer").count()).toBe(1);
  });

  it("draws only the block that is being written", async () => {
    const paragraph = "A paragraph of the answer that is long enough to be looked at. ";
    app.bench.simulator.script([
      { reply: { text: "The first answer." } },
      { reply: { text: `${paragraph}\n\n`.repeat(60), delayMs: 30, pieceSize: 40 } },
    ]);
    const page = await app.open();
    await app.at.say("First");
    await app.at.answered();
    await app.at.say("Second");
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
    await app.at.answered(2);
  });

  it("renders markdown, tables, code and math, and shows none of their syntax while they are written", async () => {
    app.bench.simulator.script([{ reply: { text: RICH_ANSWER, delayMs: 10, pieceSize: 4 } }]);
    const page = await app.open();
    await page.evaluate(() => {
      const seen: string[] = [];
      Reflect.set(globalThis, "seen", seen);
      // Leaves out formulas and code, because their source may be visible until they are rendered.
      const look = () => {
        const live = document.querySelector("[data-row=live] .prose")?.cloneNode(true);
        if (live instanceof Element) {
          for (const part of live.querySelectorAll("figure, .katex, .katex-block")) part.remove();
          seen.push(live.textContent ?? "");
        }
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await app.at.say("Show me everything");
    await app.at.answered();
    const seen = await page.evaluate(() => Reflect.get(globalThis, "seen") as string[]);
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.filter((text) => /\*\*|\]\(|\|[\s:]*-|\$\$|`/.test(text))).toEqual([]);
    await page.getByRole("columnheader", { name: "Cairns" }).waitFor();
    await page.locator("code .hljs-keyword").first().waitFor();
    await expect.poll(() => page.locator(".katex").count(), SOON).toBe(3);
    expect(await page.locator("pre").first().textContent()).toContain("const stones");
  });

  it("shows structured output as code", async () => {
    app.bench.simulator.script([{ reply: { text: '{"score":3,"why":"*short*"}' } }]);
    const post = async (path: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${app.bench.address}${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return (await answer.json()) as { readonly conversation_id: string };
    };
    const { conversation_id: id } = await post("/api/conversations", {});
    await post(`/api/conversations/${id}/turns`, { message: "Grade it", output: { type: "object" } });
    const page = await app.open();
    await page.goto(`${app.bench.address}/c/${id}`);
    await app.at.answered();
    const code = page.locator("[data-row=answer] pre");
    expect(JSON.parse((await code.textContent()) ?? "")).toEqual({ score: 3, why: "*short*" });
  });

  it("keeps numbers of a table whole on a phone", async () => {
    const row = "| A long name of a part of the path that has to wrap | 1,234,567.89 | −12.5 % | 2026-11-16 |";
    app.bench.simulator.script([{ reply: { text: `| Part | Cost | Change | Since |\n|---|---|---|---|\n${row}\n` } }]);
    const page = await app.open();
    await page.setViewportSize(PHONE);
    await app.at.say("What does it cost?");
    await app.at.answered();
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

  it("executes nothing that a model, a file or a name contains, and loads nothing from other servers", async () => {
    const write = (path: string, content: string) => ({
      name: "react__write",
      input: { path, channel: "canvas", kind: "file", content },
    });
    app.bench.simulator.script([
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
    const page = await app.open();
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http") && host !== new URL(app.bench.address).host) elsewhere.push(request.url());
    });
    await app.at.say("<img src=x onerror=alert(1)><script>alert(2)</script> javascript:alert(3)");
    await app.at.answered();
    await app.at.keepPicture("hostile");
    // `hostile-html.test.ts` tests the same page in the preview.
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
      await page.goto(`${app.bench.address}${address}`).catch(() => undefined); // A download opens no page.
      expect(await page.evaluate(() => Reflect.get(globalThis, "wasHarmed") ?? null)).toBeNull();
      await page.goBack().catch(() => undefined);
      await page.goto(app.bench.address);
      await page.getByRole("navigation", { name: "Conversations" }).locator("ul").getByRole("link").first().click();
      await app.at.answered();
    }
  });
});
