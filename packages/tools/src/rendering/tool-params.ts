/** Parameters of the four tools. Each tool has only what its format supports. */
import { z } from "zod";
import {
  DEFAULT_OPTIONS,
  type DocumentOptions,
  type DocumentTarget,
  PAGE_SIZES,
} from "./renderer/document-renderer.ts";
import { THEMES } from "./renderer/theme.ts";

const MAX_CONTENT_LENGTH = 8 * 1024 * 1024;
const MAX_LINE_LENGTH = 500;

const line = z.string().max(MAX_LINE_LENGTH);

const shared = {
  path: z
    .string()
    .min(1)
    .describe("Where the file goes: <current turn>/files/<name>, such as turn_1/files/report.pdf."),
  content: z
    .string()
    .max(MAX_CONTENT_LENGTH)
    .describe(
      "Markdown or HTML, or ref:<logical path> of a file that holds it. Cite sources as [[S:1]]: they become numbered references with a list of sources. Pictures by path: ![text](turn_1/files/chart.png), or a file source as ![text]([[S:3]]). Nothing is loaded from the web.",
    ),
  format: z.enum(["markdown", "html"]).optional().describe("What the content is; found out by default."),
  title: line.min(1).optional().describe("The title; by default the heading that opens the content."),
  author: line.optional().describe("Who it is from, as printed under the title."),
  date: line.optional().describe("The date as printed under the title."),
  theme: z
    .enum(THEMES)
    .default(DEFAULT_OPTIONS.theme)
    .describe("modern: sans serif, blue. classic: serif. plain: black and white."),
  toc: z.boolean().default(false).describe("Whether a table of contents opens it."),
  language: z
    .string()
    .regex(/^[a-z]{2}$/)
    .default(DEFAULT_OPTIONS.language)
    .describe("Language of the text, two letters."),
} as const;

const paged = {
  page_size: z.enum(PAGE_SIZES).default(DEFAULT_OPTIONS.pageSize),
  landscape: z.boolean().default(false),
  page_numbers: z.boolean().default(true),
} as const;

export const paramsOf = {
  pdf: z.object({ ...shared, ...paged }),
  docx: z.object({ ...shared, ...paged }),
  pptx: z.object({ ...shared, page_numbers: paged.page_numbers.describe("Whether slides are numbered.") }),
  png: z.object({
    ...shared,
    width: z.number().int().min(200).max(4_000).default(DEFAULT_OPTIONS.width).describe("Pixels."),
  }),
} as const satisfies Record<DocumentTarget, z.ZodType>;

type AnyParams = z.output<(typeof paramsOf)[DocumentTarget]>;

/** The parameters that all four tools have; the others are optional. */
export type ToolParams = Pick<AnyParams, keyof typeof shared> &
  Partial<z.output<typeof paramsOf.pdf> & z.output<typeof paramsOf.png>>;

export function optionsOf(params: ToolParams): DocumentOptions {
  const said = (text: string | undefined) => (text === undefined || text.trim() === "" ? null : text.trim());
  return {
    title: said(params.title),
    author: said(params.author),
    date: said(params.date),
    pageSize: params.page_size ?? DEFAULT_OPTIONS.pageSize,
    landscape: params.landscape ?? DEFAULT_OPTIONS.landscape,
    theme: params.theme,
    toc: params.toc,
    pageNumbers: params.page_numbers ?? DEFAULT_OPTIONS.pageNumbers,
    language: params.language,
    width: params.width ?? DEFAULT_OPTIONS.width,
  };
}
