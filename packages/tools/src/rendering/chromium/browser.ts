/**
 * One browser for all documents, started for the first one and stopped when idle for a while.
 *
 * The browser has no network: no name resolves, every connection goes to a proxy that does not exist, and every request
 * other than the page itself is blocked. Scripts do not run. The browser is one process tree under one limit of memory;
 * a document that exceeds it ends the browser, and the next one starts another.
 */
import { residentBytes } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type { Browser } from "playwright-core";
import { requirePart } from "../renderer/require-part.ts";
import { findChromium, HOW_TO_INSTALL } from "./find-chromium.ts";
import { writeFontConfig } from "./font-config.ts";

const ARGUMENTS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-extensions",
  "--disable-default-apps",
  "--disable-dev-shm-usage",
  "--disable-remote-fonts",
  "--font-render-hinting=none",
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--proxy-server=http://127.0.0.1:1",
  "--proxy-bypass-list=<-loopback>",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--js-flags=--max-old-space-size=256",
];

export interface BrowserOptions {
  /** A path or a name; default: found on the machine. */
  readonly executable?: string;
  /** Maximum bytes of the whole browser. */
  readonly memory: number;
  readonly idle: number;
}

interface Running {
  readonly browser: Browser;
  readonly pid: number;
  /** Resolves when the browser's process has ended. */
  readonly ended: Promise<void>;
}

export class SharedBrowser {
  readonly #options: BrowserOptions;
  #running: Promise<Running> | null = null;
  #users = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: BrowserOptions) {
    this.#options = options;
  }

  /** Runs `use` with the browser, and kills the browser if it exceeds its memory limit meanwhile. */
  async use<T>(use: (browser: Browser) => Promise<T>): Promise<T> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#users++;
    try {
      const running = await this.#open();
      const { promise: grown, reject } = Promise.withResolvers<never>();
      // The promise may be rejected when nothing waits for it any more.
      grown.catch(() => undefined);
      const watch = setInterval(() => {
        if ((residentBytes(running.pid) ?? 0) <= this.#options.memory) return;
        reject(new CairnError("document_too_complex", "The document cannot be made: the browser ran out of memory."));
        this.kill(running.pid);
      }, 100);
      try {
        return await Promise.race([use(running.browser), grown]);
      } finally {
        clearInterval(watch);
      }
    } finally {
      this.#users--;
      if (this.#users === 0) {
        this.#timer = setTimeout(() => void this.close(), this.#options.idle);
        this.#timer.unref();
      }
    }
  }

  /** Kills the browser. The documents that it is drawing fail. */
  kill(pid: number): void {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The browser has ended by itself.
    }
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (running === null) return;
    try {
      const { browser, ended } = await running;
      await browser.close();
      await ended;
    } catch {
      // The browser never started, or has already ended.
    }
  }

  #open(): Promise<Running> {
    this.#running ??= this.#launch();
    this.#running.catch(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #launch(): Promise<Running> {
    const { chromium } = await requirePart(() => import("playwright-core"), "playwright-core");
    const executable = findChromium(this.#options.executable);
    if (executable === null) throw new CairnError("renderer_missing", HOW_TO_INSTALL);
    const fonts = writeFontConfig();
    const isRoot = process.getuid?.() === 0;
    const server = await chromium.launchServer({
      executablePath: executable,
      args: ARGUMENTS,
      chromiumSandbox: !isRoot,
      // The browser gets nothing of the server's environment.
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", FONTCONFIG_FILE: fonts.file, LANG: "C.UTF-8" },
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
    });
    const ended = Promise.withResolvers<void>();
    server.once("close", () => {
      fonts.remove();
      ended.resolve();
    });
    // A browser that does not close on request is killed.
    const end = () => server.close().catch(() => server.kill());
    try {
      const browser = await chromium.connect(server.wsEndpoint());
      const pid = server.process().pid;
      if (pid === undefined) throw new CairnError("document_failed", "Chromium could not be started.");
      browser.on("disconnected", () => {
        this.#running = null;
        end().catch((error: unknown) => process.emitWarning(`Chromium could not be stopped: ${error}`));
      });
      return { browser, pid, ended: ended.promise };
    } catch (error) {
      await end();
      throw error;
    }
  }
}
