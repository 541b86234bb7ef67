/** Styles for pages without a style sheet, similar to those of PDFs from Markdown. */
import type { Theme } from "../renderer/theme.ts";

/** The style of pages without options. A picture has no page margins. */
export function defaultStyle(theme: Theme, isPicture: boolean): string {
  const { ink, heading, link, muted, line, panel, tableHead, accent, name } = theme;
  const body = name === "classic" ? '"Source Serif 4", Georgia, serif' : '"Inter", "Noto Sans", Arial, sans-serif';
  return `
:root { color: #${ink}; font: 10.5pt/1.5 ${body}; }
/* Letters in other forms by context cannot be read back from a PDF. */
:root { font-variant-ligatures: no-contextual; }
body { margin: 0; overflow-wrap: break-word; orphans: 2; widows: 2;${isPicture ? " padding: 36px 44px;" : ""} }
h1, h2, h3, h4, h5, h6 { color: #${heading}; line-height: 1.2; margin: 1.5em 0 .5em; break-after: avoid; }
h1 { font-size: 1.9em; margin-top: 0; padding-bottom: .35em; border-bottom: 2px solid #${accent}; }
h2 { font-size: 1.4em; } h3 { font-size: 1.15em; } h4, h5, h6 { font-size: 1em; }
p, ul, ol, dl { margin: 0 0 .85em; } li { margin: .2em 0; } li::marker { color: #${accent}; } dt { font-weight: 600; }
li:has(> input[type=checkbox]), li:has(> p > input[type=checkbox]) { list-style: none; margin-inline-start: -1.3em; }
mark { background: #fff1b8; color: inherit; } sub, sup { font-size: .72em; line-height: 0; }
a[href] { color: #${link}; }
img, svg { max-width: 100%; height: auto; } figure { margin: 1.2em 0; text-align: center; break-inside: avoid; }
figcaption { color: #${muted}; font-size: .9em; margin-top: .4em; }
table { border-collapse: collapse; width: 100%; margin: 1em 0; font-size: .93em; }
th { background: #${tableHead}; color: #${heading}; border-bottom: 1.5px solid #${accent}; } th:not([align]) { text-align: start; }
th, td { padding: .4em .6em; vertical-align: top; } td { border-bottom: 1px solid #${line}; }
thead { display: table-header-group; } tr { break-inside: avoid; }
pre, code, kbd, samp { font-family: "JetBrains Mono", Consolas, monospace; font-size: .88em; background: #${panel}; border-radius: 3px; }
code, kbd, samp { padding: .1em .25em; }
pre { box-decoration-break: clone; border: 1px solid #${line}; padding: .9em 1em; white-space: pre-wrap; overflow-wrap: anywhere; } pre code { padding: 0; background: none; font-size: 1em; }
blockquote { margin: 1em 0; padding-block: .1em; padding-inline-start: 1em; border-inline-start: 3px solid #${accent}; color: #${ink}; opacity: .85; }
hr { border: 0; border-top: 1px solid #${line}; margin: 1.6em 0; }
`;
}

/** Styles for the parts that we add to any page, including pages with their own styles. */
export function addedStyle({ link, muted, line, heading }: Theme, isPicture: boolean): string {
  return `
.cairn-cite { font-size: .7em; line-height: 0; } .cairn-cite a { color: #${link}; text-decoration: none; }
.cairn-sources li { color: #${muted}; } .cairn-sources a[href] { color: #${link}; }
.cairn-missing { display: inline-block; padding: .5em 1em; border: 1px dashed #${line}; color: #${muted}; }
.cairn-byline { color: #${muted}; margin: 0 0 1.6em; }
.cairn-contents { margin: 1.2em 0 2em;${isPicture ? "" : " break-after: page;"} }
.cairn-contents p { margin: .35em 0; border-bottom: 1px dotted #${line}; } .cairn-contents a { color: inherit; text-decoration: none; }
.cairn-contents .cairn-contents-title { font-weight: 700; font-size: 1.15em; color: #${heading}; border: 0; margin-bottom: .7em; }
.cairn-level-0 { font-weight: 600; } .cairn-level-1 { padding-inline-start: 1.2em; } .cairn-level-2 { padding-inline-start: 2.4em; }
`;
}
