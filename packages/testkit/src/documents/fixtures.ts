/** Documents for tests of what reads them: some that other programs made, and archives with any content. */
export { documentFixture } from "./document-fixture.ts";
export { docxOf, zipOf } from "./zip-of.ts";
