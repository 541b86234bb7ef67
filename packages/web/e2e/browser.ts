/** A real Chromium for the tests. It collects all errors and warnings of a page. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";

const SCREENSHOTS = join(import.meta.dirname, "../../../docs/screenshots");

/** Every combination of colour scheme and size, for pictures and long runs. */
export const TRIES_ALL = process.env.CAIRN_SCREENSHOTS === "1" || process.env.CAIRN_LONG === "1";

export const DESKTOP = { width: 1280, height: 820 };
export const PHONE = { width: 390, height: 780 };

/** Timeout for conditions that are polled. It is long, because a busy machine is slow. */
export const SOON = { timeout: 90_000, interval: 100 };

export class TestBrowser implements AsyncDisposable {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async launch(executablePath: string): Promise<TestBrowser> {
    const args = [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-sync",
    ];
    return new TestBrowser(await chromium.launch({ executablePath, args }));
  }

  async open(address: string, options: BrowserContextOptions = {}): Promise<TestPage> {
    const context = await this.#browser.newContext({ viewport: DESKTOP, reducedMotion: "reduce", ...options });
    const page = await TestPage.in(context);
    await page.page.goto(address);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

export class TestPage implements AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, and refusals of the content security policy. */
  readonly complaints: string[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    page.on("pageerror", (error) => this.complaints.push(`script: ${error.message}`));
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() === "error" && !text.startsWith("Failed to load resource")) this.complaints.push(text);
    });
    page.on("dialog", (dialog) => {
      this.complaints.push(`dialog: ${dialog.message()}`);
      dialog.dismiss().catch((error: unknown) => this.complaints.push(`dialog: ${error}`));
    });
    page.setDefaultTimeout(SOON.timeout);
  }

  static async in(context: BrowserContext): Promise<TestPage> {
    return new TestPage(context, await context.newPage());
  }

  /** Writes a message and sends it. */
  async say(text: string): Promise<void> {
    await this.page.getByRole("textbox", { name: "Message" }).fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Waits until the last turn has ended. */
  async answered(turns = 1): Promise<void> {
    // Timeout of a report with its PDF, which takes long on a busy machine.
    await this.page.getByRole("toolbar", { name: `Turn ${turns}`, exact: true }).waitFor({ timeout: 180_000 });
  }

  /** Opens an attachment of the conversation. */
  async openAttachment(name: string): Promise<Locator> {
    await this.page
      .getByRole("list", { name: "Attachments" })
      .getByRole("button", { name: new RegExp(name) })
      .click();
    return this.page.getByRole("dialog", { name });
  }

  /** The problems that axe finds, as `rule: elements`. */
  async faults(): Promise<string[]> {
    // The legacy mode is used, because the app has no frames and the other mode costs twice as much. Axe describes only
    // elements with a problem.
    const axe = new AxeBuilder({ page: this.page }).setLegacyMode().options({ resultTypes: ["violations"] });
    const { violations } = await axe.analyze();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  }

  /** Saves a picture of the page in `docs/screenshots`, if pictures are requested. */
  async keepPicture(name: string): Promise<void> {
    if (process.env.CAIRN_SCREENSHOTS !== "1") return;
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.evaluate(() => document.fonts.ready.then(() => undefined));
    await this.page.waitForTimeout(250);
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), animations: "disabled", caret: "hide" });
  }

  /** Closes the page. Returns the errors and warnings that it had. */
  async close(): Promise<readonly string[]> {
    const complaints = this.complaints.splice(0);
    await this[Symbol.asyncDispose]();
    return complaints;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
  }
}

/** Closes all resources of a test file, in this order. */
export async function closeAll(...opened: readonly AsyncDisposable[]): Promise<void> {
  for (const each of opened) await each[Symbol.asyncDispose]();
}
