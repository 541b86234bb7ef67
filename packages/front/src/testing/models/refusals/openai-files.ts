/** Maximum number of pictures in a request to OpenAI. */
import type { JsonObject } from "@cairn/timeline";
import type { Rule } from "./rule.ts";

const MAX_IMAGES = 500;

export function countRule<Body>(imagesIn: (body: Body) => number, bodyWith: (count: number) => JsonObject): Rule<Body> {
  return {
    rule: "A request has at most 500 pictures.",
    about: "counts",
    source: "https://platform.openai.com/docs/guides/images-vision",
    date: "2026-11-16",
    refuses: (body) => {
      const count = imagesIn(body);
      return count > MAX_IMAGES
        ? `Too many images in request: ${count} images provided, but the maximum is ${MAX_IMAGES}.`
        : null;
    },
    example: bodyWith(MAX_IMAGES + 1),
  };
}
