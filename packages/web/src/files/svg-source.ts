/** The address of an SVG for an image element. In an image element, an SVG runs no script and loads no other files. */
export function svgSource(text: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}
