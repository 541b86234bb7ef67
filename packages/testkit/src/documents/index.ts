/** What proves a renderer of documents: the conformance suite, the sample, and ways to read documents back. */
export { documentRendererSuite, type OpenedRenderer } from "./document-renderer-suite.ts";
export { gradientPng } from "./gradient-png.ts";
export { officeText, readZip } from "./read-office.ts";
export { type Sample, sampleDocument } from "./sample.ts";
