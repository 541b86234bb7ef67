/** pptxgenjs: its types describe a CommonJS module, but Node loads the ES module, where the class is in `default`. */
import library from "pptxgenjs";

type Pptx = typeof library.default;
export type Presentation = InstanceType<Pptx>;
export type Slide = library.default.Slide;
export type TextRun = library.default.TextProps;
export type TextOptions = library.default.TextPropsOptions;
export type TableRow = library.default.TableRow;

export function newPresentation(): Presentation {
  const loaded: unknown = library;
  if (!isClass(loaded)) throw new TypeError("pptxgenjs exports no class that makes presentations");
  return new loaded();
}

function isClass(value: unknown): value is Pptx {
  return typeof value === "function";
}
