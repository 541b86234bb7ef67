/** Script attempts, in every place text comes from. Each would set `wasHarmed`, open a dialog or ask another host. */
const HARM = "globalThis.wasHarmed=1;alert(1)";

export const HOSTILE_ANSWER = [
  `<script>${HARM}</script>`,
  `<img src=x onerror="${HARM}">`,
  `<svg onload="${HARM}"><animate onbegin="${HARM}" attributeName=x dur=1s></svg>`,
  `<iframe srcdoc="<script>parent.wasHarmed=1</script>"></iframe>`,
  `[a](javascript:${HARM}) [b](JaVaScRiPt:${HARM}) [c](data:text/html,<script>${HARM}</script>) [d](vbscript:x)`,
  `[e](<javascript:${HARM}>) <javascript:${HARM}> [f]: javascript:${HARM}`,
  "![remote](http://evil.invalid/track.png) ![svg](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)",
  `![x](x" onerror="${HARM})`,
  `$\\href{javascript:${HARM}}{click}$ $\\includegraphics{http://evil.invalid/x.png}$ $$\\htmlData{x=1}{y}$$`,
  `\`\`\`html\n<script>${HARM}</script>\n\`\`\``,
  `| <img src=x onerror=${HARM}> | b |\n|---|---|\n| [x](javascript:${HARM}) | <b onmouseover=${HARM}>hover</b> |`,
  `<style>@import url(http://evil.invalid/x.css);</style><link rel=stylesheet href=http://evil.invalid/x.css>`,
  `<form action=http://evil.invalid><button>go</button></form><meta http-equiv=refresh content="0;url=http://evil.invalid">`,
  "[[S:1]] [[S:999999999]] {{constructor.constructor('return 1')()}}",
].join("\n\n");

export const HOSTILE_HTML = `<!doctype html><html><body onload="${HARM}"><script>${HARM};fetch("http://evil.invalid")</script><img src="http://evil.invalid/a.png"></body></html>`;

export const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60" onload="${HARM}"><script>${HARM}</script><image href="http://evil.invalid/a.png"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:${HARM}"/></foreignObject><rect width="90" height="60" fill="teal"/></svg>`;

export const HOSTILE_NAME = `"><img src=x onerror=${HARM}>.md`;
