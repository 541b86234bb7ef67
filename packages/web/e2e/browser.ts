/** A real Chromium for the tests. It collects all errors and warnings of a page. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe, { type AxeResults } from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type ViewportSize,
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
  /** Pages that tests have closed, by the options of their contexts. They have compiled the app. */
  readonly #free = new Map<string, TestPage[]>();

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

  /** Opens an address in a page that has nothing of earlier tests: a new one, or one that was reset. */
  async open(address: string, options: BrowserContextOptions = {}): Promise<TestPage> {
    const key = JSON.stringify(options);
    const free = this.#free.get(key) ?? [];
    this.#free.set(key, free);
    const at = free.pop() ?? (await this.#newPage(options, (page) => free.push(page)));
    await at.goTo(address);
    return at;
  }

  async #newPage(options: BrowserContextOptions, keep: (page: TestPage) => void): Promise<TestPage> {
    const context = await this.#browser.newContext({ viewport: DESKTOP, reducedMotion: "reduce", ...options });
    return TestPage.in(context, keep);
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
  readonly #keep: (page: TestPage) => void;
  readonly #size: ViewportSize | null;
  /** Whether the page has something that `#reset` does not take away. */
  #isChanged = false;
  #origin = "";

  private constructor(context: BrowserContext, page: Page, keep: (page: TestPage) => void) {
    this.context = context;
    this.page = page;
    this.#keep = keep;
    this.#size = page.viewportSize();
    for (const [owner, name] of [
      [page, "addInitScript"],
      [page, "emulateMedia"],
      [page.clock, "install"],
      [context, "newCDPSession"],
      [context, "setOffline"],
    ] as const)
      onCall(owner, name, () => {
        this.#isChanged = true;
      });
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

  /** `keep` receives the page after it was reset. */
  static async in(context: BrowserContext, keep: (page: TestPage) => void): Promise<TestPage> {
    return new TestPage(context, await context.newPage(), keep);
  }

  async goTo(address: string): Promise<void> {
    this.#origin = new URL(address).origin;
    await this.page.goto(address);
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
    // Axe is loaded once in each document. The app's frames are of other origins, which axe does not enter.
    if (!(await this.page.evaluate(() => "axe" in globalThis))) await this.page.evaluate(axe.source);
    // Axe describes only elements with a problem.
    const violations = await this.page.evaluate<AxeResults["violations"]>(
      "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
    );
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
    if (this.#isChanged || !(await this.#reset())) await this.context.close();
    else this.#keep(this);
  }

  /** Leaves the app and removes what it has stored. Returns false if the server does not answer any more. */
  async #reset(): Promise<boolean> {
    try {
      await this.page.unrouteAll({ behavior: "ignoreErrors" });
      // An address of the same origin, because another origin gets another process, which compiles the app again.
      await this.page.goto(`${this.#origin}/api/meta`);
    } catch {
      return false; // The server was stopped.
    }
    for (const opened of this.context.pages()) if (opened !== this.page) await opened.close();
    await this.page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await this.context.clearCookies();
    if (this.#size !== null) await this.page.setViewportSize(this.#size);
    await this.page.mouse.move(-1, -1);
    this.complaints.length = 0;
    return true;
  }
}

/** Calls a function before each call of a method. */
function onCall(owner: object, name: string, called: () => void): void {
  const method: (...args: readonly unknown[]) => unknown = Reflect.get(owner, name).bind(owner);
  Reflect.set(owner, name, (...args: readonly unknown[]) => {
    called();
    return method(...args);
  });
}

/** Closes all resources of a test file, in this order. */
export async function closeAll(...opened: readonly AsyncDisposable[]): Promise<void> {
  for (const each of opened) await each[Symbol.asyncDispose]();
}
