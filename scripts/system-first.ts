/**
 * Starts system tests before unit tests. A system test may take a minute, a unit test takes seconds: started last, unit
 * tests fill the time in which the last system tests end.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

export default class SystemFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => (project.name === "system" ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
