/** Tests pictures for office programs: which are drawn, how often, and with which letters. */
import { expect, it } from "vitest";
import { encodePng } from "../image/encode-png.ts";
import { isDrawable, prepareImage } from "../image/prepare-image.ts";
import { readMarkdown } from "../markdown/read-markdown.ts";
import { imagePng } from "../typst/draw-alone.ts";
import { TypstCompiler } from "../typst/typst-compiler.ts";
import { officePictures } from "./office-pictures.ts";

const compiler = await TypstCompiler.create();
const NOTHING = { images: new Map(), references: new Map() };

/** Counts how often something was drawn. */
async function draw(markdown: string, hasSigns: boolean, assets: Parameters<typeof officePictures>[1] = NOTHING) {
  let count = 0;
  const open = async () => {
    count++;
    return compiler;
  };
  return { ...(await officePictures(readMarkdown(markdown), assets, open, hasSigns)), count };
}

it("a formula is drawn once, however often it occurs, and not if words can express it", async () => {
  const text = `${"$x_1$ and $\\frac{a}{b}$. ".repeat(40)}\n\n$$\\frac{a}{b}$$\n\n$$\\frac{a}{b}$$`;
  const word = await draw(text, true);
  expect([word.count, [...word.signs.keys()], [...word.formulas.keys()]]).toEqual([
    2,
    ["\\frac{a}{b}"],
    ["\\frac{a}{b}"],
  ]);
  // A formula on its own line is larger than one in a text.
  const heights = [word.formulas, word.signs].map((drawn) => drawn.get("\\frac{a}{b}")?.height ?? 0);
  expect(heights[0]).toBeGreaterThan((heights[1] ?? 0) * 1.2);
  // Lines of a slide hold no pictures.
  expect((await draw(text, false)).count).toBe(1);
});

it("a truncated picture is reported, and not used", async () => {
  const whole = prepareImage(encodePng(new Uint8Array(4 * 100 * 100).fill(90), 100, 100));
  if (!isDrawable(whole)) throw new Error("The picture cannot be drawn.");
  const cut = { ...whole, bytes: whole.bytes.subarray(0, whole.bytes.length - 20) };
  const assets = {
    ...NOTHING,
    images: new Map([
      ["whole", whole],
      ["cut", cut],
    ]),
  };
  const { images, badImages } = await draw("", true, assets);
  expect([[...images.keys()], badImages]).toEqual([["whole"], [{ src: "cut", reason: "it is cut off" }]]);
});

it("text of a drawing that names no font is sans-serif", async () => {
  const drawing = (face: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><text y="30" font-family="${face}" font-size="24">Margin</text></svg>`;
    const image = prepareImage(Buffer.from(svg));
    if (!isDrawable(image)) throw new Error("The drawing cannot be drawn.");
    return imagePng(compiler, image);
  };
  const [plain, inter, serif] = [
    await drawing("sans-serif"),
    await drawing("Inter"),
    await drawing("'Source Serif 4'"),
  ];
  expect(plain).toEqual(inter);
  expect(plain).not.toEqual(serif);
});
