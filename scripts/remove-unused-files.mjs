/**
 * Runs after `npm install`: removes files of packages that nothing in this repository reads, and parts of two files, in
 * all nearly half of what npm installs. This file is plain JavaScript, because the Node of the machine runs it. `npm
 * install` restores a package that changes.
 */
import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { removePictures, removeSymbols } from "./remove-unused-parts.mjs";

/** Paths below `node_modules`. The path of a nested package begins at its innermost `node_modules` folder. */
const UNUSED = [
  // Source maps of libraries, their declarations for CommonJS, and pages for people who read the folder.
  /\.map$/,
  /\.d\.cts$/,
  /\/(README|CHANGELOG|CHANGES|HISTORY|CONTRIBUTING)[^/]*\.md$/i,
  // Node is needed as a program, not to compile addons.
  /^node-[^/]+\/(include|share)\//,
  // Sources and pages of libraries that also contain the compiled code.
  /^(ai|@ai-sdk\/[^/]+)\/(src|docs)\//,
  /^(zod|katex)\/src\//,
  /^@octokit\/[^/]+\/dist-types\//,
  /^@octokit\/(auth-token|endpoint|graphql|plugin-paginate-rest|request)\/dist-src\//,
  /^@octokit\/(openapi-)?types\/.*\.d\.ts$/,
  // The same code in other formats: for browsers, for CommonJS, in one file.
  /^docx\/dist\/.*(\.iife\.js|\.cjs)$/,
  /^lucide-react\/(dynamic|dist\/.*\.(pre|suf)fixed\.d\.ts)/,
  /^pdfjs-dist\/(legacy|image_decoders|web)\//,
  /^pdfjs-dist\/build\/(pdf\.(min|worker)\.mjs|pdf\.(sandbox|renderer).*)$/,
  /^pptxgenjs\/dist\/pptxgen\.(bundle|min)/,
  /^@e965\/xlsx\/dist\/xlsx\./,
  /^@hyzyla\/pdfium\/dist\/(index\.esm\.(base64|browser|cdn|worker)|pdfium\.wasm\.base64|worker|vendor)/,
  /^(@smithy|@aws-sdk|@aws-crypto)\/[^/]+\/dist-es\//,
  /^(@modelcontextprotocol|@opentelemetry(?!\/api\/))\/.*\.cjs$/,
  /^@modelcontextprotocol\/sdk\/dist\/cjs\//,
  /^linkedom\/(cjs\/|worker\.js$)/,
  /^oxc-parser\/.*\.wasm$/,
  /^(@e965\/xlsx\/xlsx|pptxgenjs\/dist\/pptxgen\.cjs|katex\/dist\/katex)\.js$/,
  /^fast-check\/lib\/cjs\//,
  // Types for old compilers and for other checkers.
  /^(@smithy|@aws-sdk|@aws-crypto)\/[^/]+\/dist-types\/(downlevel-)?ts3\.4\//,
  /\.js\.flow$/,
  /^playwright-core\/lib\/vite\//,
  /^react-dom\/cjs\/react-dom-(profiling|test-utils|server.*\.(bun|edge|browser))/,
  /^hono\/dist\/cjs\//,
  // Tests, examples and styles of libraries.
  /^(@mixmark-io\/domino|bintrees)\/(test|examples|\.yarn)\//,
  /^css-what\/src\//,
  /^highlight\.js\/(styles|scss|.*\.js\.js$)/,
  // A drawing library that pdf.js uses in Node; in this product, pdf.js draws only in the browser.
  /^@napi-rs\/canvas-[^/]+\/.*\.node$/,
  // Of all encodings, only `o200k_base` is used.
  /^gpt-tokenizer\/(cjs|src|data|dist)\//,
  /^gpt-tokenizer\/esm\/(model|fixtures)\//,
  /^gpt-tokenizer\/esm\/(bpeRanks|encoding)\/(?!o200k_base)/,
  // Font files that no document uses.
  /^@expo-google-fonts\/[^/]+\/(100|200|300|500|800|900)/,
  /^@expo-google-fonts\/noto-[^/]+\/600/,
  /^@expo-google-fonts\/jetbrains-mono\/(600|700Bold_Italic)/,
  /^dejavu-fonts-ttf\/(status|unicover|langcover)\.txt$/,
  /^dejavu-fonts-ttf\/ttf\/(?!DejaVu(Sans(-Bold|-Oblique|Mono)?|Serif)\.ttf$)/,
];

/** Files from which a part is removed. */
const SHRUNK = [
  { pattern: /^node(-[^/]+)?\/bin\/node$/, shrink: removeSymbols },
  { pattern: /^@expo-google-fonts\/noto-color-emoji\/.*\.ttf$/, shrink: removePictures },
];

removeUnused(new URL("../node_modules/", import.meta.url), "");

/** Returns whether the folder is empty afterwards. */
function removeUnused(folder, path) {
  let left = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const inside = entry.name === "node_modules" ? "" : `${path}${entry.name}`;
    if (entry.isDirectory()) {
      const child = new URL(`${encodeURIComponent(entry.name)}/`, folder);
      if (removeUnused(child, inside === "" ? "" : `${inside}/`)) rmdirSync(child);
      else left += 1;
    } else if (entry.isFile() && UNUSED.some((pattern) => pattern.test(inside)))
      rmSync(new URL(encodeURIComponent(entry.name), folder));
    else {
      const file = new URL(encodeURIComponent(entry.name), folder);
      SHRUNK.find(({ pattern }) => entry.isFile() && pattern.test(inside))?.shrink(file);
      left += 1;
    }
  }
  return left === 0;
}
