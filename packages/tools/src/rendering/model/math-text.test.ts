import { expect, it } from "vitest";
import { mathText } from "./math-text.ts";

const said = (tex: string) =>
  mathText(tex)
    ?.map(({ text, shift }) => (shift === null ? text : `${shift === "sub" ? "_" : "^"}(${text})`))
    .join("");

it.each([
  ["T_0 = 15\\,^\\circ\\mathrm{C}", "T_(0) = 15\u2009°C"],
  ["\\eta \\approx 0.58", "η ≈ 0.58"],
  ["P_{el}", "P_(el)"],
  ["x^2y", "x^(2)y"],
  ["e^{-|x|/\\ell}", "e^(-|)^(x)^(|/)^(ℓ)"],
  ["\\{X_n\\}", "{X_(n)}"],
  ["\\|x\\| < \\delta \\Rightarrow x \\in \\mathbb{R}", "‖x‖ < δ ⇒ x ∈ ℝ"],
  ["\\mathbb{E}[X_1] = 0 \\blacksquare", "𝔼[X_(1)] = 0 ■"],
])("writes %s in a line", (tex, text) => {
  expect(said(tex)?.replace(/ +/g, " ").trim()).toBe(text);
});

it.each(["\\frac{a}{b}", "\\sqrt{x}", "\\unknown", "{a", "e^{-x^2}", "\\mathbb{x}"])(
  "leaves %s to renderers that can draw it",
  (tex) => {
    expect(mathText(tex)).toBeNull();
  },
);
