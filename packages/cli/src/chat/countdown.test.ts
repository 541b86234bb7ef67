import { PassThrough } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";
import { Countdown } from "./countdown.ts";

afterEach(() => {
  vi.useRealTimers();
});

function screen(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  let written = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  return { stream, read: () => written };
}

const say = (seconds: number) => `${seconds} s`;

it("a wait is counted down on one line, to 0 and no further, and the line ends with it", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { stream, read } = screen(true);
  const countdown = new Countdown(stream);
  countdown.start(2_400, say);
  vi.advanceTimersByTime(4_000);
  countdown.stop();
  countdown.stop();
  await vi.waitFor(() => expect(read()).toBe("3 s\r\x1b[K2 s\r\x1b[K1 s\r\x1b[K0 s\r\x1b[K0 s\n"));
  expect(vi.getTimerCount()).toBe(0);
});

it("outside a terminal, a wait is one line", async () => {
  const { stream, read } = screen(false);
  new Countdown(stream).start(2_400, say);
  await vi.waitFor(() => expect(read()).toBe("3 s\n"));
});
