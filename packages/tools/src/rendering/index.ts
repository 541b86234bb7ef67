/** Documents: PDF, PNG, DOCX and PPTX from Markdown or HTML. */
export type { ChromiumOptions } from "./chromium-renderer.ts";
export { ChromiumRenderer } from "./chromium-renderer.ts";
export { EmbeddedRenderer } from "./embedded-renderer.ts";
export { encodePng } from "./image/encode-png.ts";
export type { CitedSource } from "./model/cited.ts";
export {
  type ContentFormat,
  DEFAULT_OPTIONS,
  type DocumentOptions,
  type DocumentRenderer,
  type DocumentSupply,
  type DocumentTarget,
  PAGE_SIZES,
  type RenderedDocument,
  type RenderRequest,
} from "./renderer/document-renderer.ts";
export { THEMES, type ThemeName } from "./renderer/theme.ts";
export { defaultRenderers, type RenderingOptions, renderingTools } from "./rendering-tools.ts";
