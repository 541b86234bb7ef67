/** Page sizes in points (72 per inch). */
import type { DocumentOptions, PageSize } from "./document-renderer.ts";

interface Points {
  readonly width: number;
  readonly height: number;
}

const SIZES: Readonly<Record<PageSize, Points>> = {
  a4: { width: 595.28, height: 841.89 },
  a5: { width: 419.53, height: 595.28 },
  letter: { width: 612, height: 792 },
  legal: { width: 612, height: 1008 },
};

export function pagePoints(options: Pick<DocumentOptions, "pageSize" | "landscape">): Points {
  const { width, height } = SIZES[options.pageSize];
  return options.landscape ? { width: height, height: width } : { width, height };
}
