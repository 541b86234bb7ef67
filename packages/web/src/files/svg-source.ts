/** The address of an SVG for an image element. Inside one, an SVG runs no script and loads nothing. */
export function svgSource(text: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}
