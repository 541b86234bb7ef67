import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { imageSize } from "./image-size.ts";

const be = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(value / 256 ** (count - 1 - index)) % 256);
const le = (value: number, count: number): number[] => be(value, count).reverse();
const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const base64 = (bytes: readonly number[]): string => btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""));

const png = (w: number, h: number) => [
  0x89,
  ...ascii("PNG\r\n\x1a\n"),
  ...be(13, 4),
  ...ascii("IHDR"),
  ...be(w, 4),
  ...be(h, 4),
];
const gif = (w: number, h: number) => [...ascii("GIF89a"), ...le(w, 2), ...le(h, 2)];
const sof = (marker: number, w: number, h: number) => [0xff, marker, ...be(17, 2), 8, ...be(h, 2), ...be(w, 2)];
const app = (size: number) => [0xff, 0xe1, ...be(size + 2, 2), ...new Array<number>(size).fill(0xff)];
const jpeg = (w: number, h: number) => [0xff, 0xd8, ...app(20_000), ...app(7), 0xff, ...sof(0xc2, w, h)];
const riff = (chunk: string, body: number[]) => [
  ...ascii("RIFF"),
  ...le(0, 4),
  ...ascii("WEBP"),
  ...ascii(chunk),
  ...le(0, 4),
  ...body,
];
const vp8 = (w: number, h: number) => riff("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, ...le(w, 2), ...le(h, 2)]);
const vp8l = (w: number, h: number) => riff("VP8L", [0x2f, ...le(w - 1 + (h - 1) * 2 ** 14, 4)]);
const vp8x = (w: number, h: number) => riff("VP8X", [0, 0, 0, 0, ...le(w - 1, 3), ...le(h - 1, 3)]);
const bmp = (w: number, h: number) => [
  ...ascii("BM"),
  ...new Array<number>(12).fill(0),
  ...le(40, 4),
  ...le(w, 4),
  ...le(2 ** 32 - h, 4),
];
const oldBmp = (w: number, h: number) => [
  ...ascii("BM"),
  ...new Array<number>(12).fill(0),
  ...le(12, 4),
  ...le(w, 2),
  ...le(h, 2),
];
const ispe = (w: number, h: number) => [...be(20, 4), ...ascii("ispe"), ...be(0, 4), ...be(w, 4), ...be(h, 4)];
const avif = (w: number, h: number) => [
  ...be(24, 4),
  ...ascii("ftypavif"),
  ...be(0, 12),
  ...ispe(16, 16),
  ...ispe(w, h),
];

const formats = { png, gif, jpeg, vp8, vp8l, vp8x, bmp, oldBmp, avif };

describe("imageSize", () => {
  test.each(Object.entries(formats))("%s has a readable size", (_, make) => {
    expect(imageSize(base64(make(640, 481)))).toEqual({ width: 640, height: 481 });
  });

  test.each(Object.entries(formats))("a %s cut short has no size, and never throws", (_, make) => {
    const whole = make(640, 480);
    for (let length = 0; length < Math.min(whole.length, 60); length++) imageSize(base64(whole.slice(0, length)));
    expect(imageSize(base64(whole.slice(0, 9)))).toBeNull(); // The shortest header, a GIF's, takes 10 bytes.
  });

  test("an image with a zero dimension has no size", () => {
    for (const make of [png, gif, jpeg, vp8]) expect(imageSize(base64(make(0, 5)))).toBeNull();
  });

  test("a data: prefix, white space and the URL alphabet are accepted", () => {
    const text = base64(png(3, 62_207));
    expect(imageSize(`data:image/png;base64,${text}`)).toEqual({ width: 3, height: 62_207 });
    expect(imageSize(text.replace(/.{5}/g, "$&\r\n"))).toEqual({ width: 3, height: 62_207 });
    expect(imageSize(base64(gif(0xfbff, 0xfffe)).replaceAll("+", "-").replaceAll("/", "_"))).not.toBeNull();
  });

  test("a JPEG without a frame has no size", () => {
    expect(imageSize(base64([0xff, 0xd8, 0xff, 0xda]))).toBeNull();
    expect(imageSize(base64([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0]))).toBeNull();
    expect(imageSize(base64([0xff, 0xd8, ...new Array<number>(100_000).fill(0xff)]))).toBeNull();
  });

  test("any input has a positive size or none", () => {
    const bytes = fc.array(fc.nat(255), { maxLength: 60 });
    const start = fc.constantFrom(...Object.values(formats).map((make) => make(5, 5).slice(0, 16)), []);
    const input = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.tuple(start, bytes).map(([a, b]) => base64([...a, ...b])),
    );
    fc.assert(
      fc.property(input, (text) => {
        const size = imageSize(text);
        if (size !== null) expect(size.width > 0 && size.height > 0).toBe(true);
      }),
      { numRuns: runs },
    );
  });
});
