/**
 * `react.hide`: hides the blocks at some paths near the end of the timeline and leaves a note. If one path cannot be
 * hidden, nothing is hidden.
 */
import type { HideRefusal } from "@cairn/timeline";
import { z } from "zod";
import { defineTool } from "../tool/tool.ts";

const params = z.object({
  path: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(50)])
    .describe("The logical path, or several, of what is to be hidden, as results show it."),
  replacement_text: z.string().trim().min(1).max(2_000).describe("What to remember of it, in a line or two."),
});

const WHY: Readonly<Record<HideRefusal, string>> = {
  hide_before_cache: "it stands before the last cache checkpoint, where nothing is hidden any more",
  hide_too_old: "too much has followed since; only the end of the timeline can be hidden",
  not_found: "nothing in view stands at this path",
};

export const hideTool = defineTool({
  id: "react.hide",
  description:
    "Take a recent result that is of no further use out of view, and leave a short note in its place. " +
    "It stays readable with react.read. Only what came last can be hidden.",
  params,
  builtin: true,
  traits: {
    refers: true,
    label: { icon: "hide", done: "Set aside", doing: "Set aside", shows: { params: ["path"], as: "file" } },
  },
  idempotent: true,
  // A note about internal content must be internal, too.
  visibility: async (given, context) => {
    const { path } = params.pick({ path: true }).parse(given);
    const found = await Promise.all((typeof path === "string" ? [path] : path).map(context.resolve));
    return found.some((artifact) => artifact?.internal === true) ? "internal" : null;
  },
  run: async ({ path, replacement_text }) => {
    const paths = typeof path === "string" ? [path] : path;
    return (scribe) => {
      const { code, refused, blocks_hidden, tokens_hidden } = scribe.hide({ paths, replacement: replacement_text });
      if (code === null) {
        scribe.result(JSON.stringify({ status: "ok", paths, blocks_hidden, tokens_hidden }), "application/json");
        return;
      }
      const message = `${refused ?? paths.join(", ")} cannot be hidden: ${WHY[code]}. Nothing was hidden.`;
      scribe.fail({ code, message, ...(refused === null ? {} : { path: refused }) });
    };
  },
});
