/**
 * Starts system tests first, then unit tests. A system test may take a minute, a unit test takes seconds: started last,
 * unit tests fill the time in which the last system tests end. Files of one project follow each other, because only
 * consecutive files share a process.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

const ORDER = ["alone", "system", "unit"];

export default class SystemFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => ORDER.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
