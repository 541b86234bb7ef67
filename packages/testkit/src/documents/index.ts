/** Tests for document renderers: the conformance suite, the sample, and functions that read documents back. */
export { documentRendererSuite } from "./document-renderer-suite.ts";
export { gradientPng } from "./gradient-png.ts";
export { officeText, readZip } from "./read-office.ts";
export { sampleDocument } from "./sample.ts";
