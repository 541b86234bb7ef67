/**
 * Documents for tests of code that reads documents: some were made by other programs, and archives with any content.
 */
export { documentFixture } from "./document-fixture.ts";
export { docxOf, zipOf } from "./zip-of.ts";
