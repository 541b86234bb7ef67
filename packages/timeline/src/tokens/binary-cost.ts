/**
 * The cost of images and PDFs in tokens.
 *
 * An image is cut into 28-pixel squares, one token each, and scaled down when it would exceed 1,568 squares; an image
 * of unknown size counts as that maximum. A page of a PDF costs 2,000; a PDF of unknown length counts as one page.
 */
const SQUARE = 28;
export const MAX_IMAGE_TOKENS = 1_568;
const PDF_PAGE_TOKENS = 2_000;

export function imageTokens(width: number, height: number): number {
  if (!(width > 0) || !(height > 0)) return MAX_IMAGE_TOKENS;
  const squares = Math.ceil(width / SQUARE) * Math.ceil(height / SQUARE);
  return Math.max(1, Math.min(squares, MAX_IMAGE_TOKENS));
}

/** A page count that no file can have is treated as unknown. */
export function pdfTokens(pages: number): number {
  const tokens = Math.ceil(pages) * PDF_PAGE_TOKENS;
  return pages > 0 && Number.isSafeInteger(tokens) ? tokens : PDF_PAGE_TOKENS;
}
