/** The law of citations: texts cite exactly the sources that they name and that their request showed. */
import fc from "fast-check";
import { expect } from "vitest";
import { citationFaults } from "./citation-faults.ts";
import { citingPlan, playCiting } from "./citing-conversation.ts";

type Place = Omit<Parameters<typeof playCiting>[1], "name">;

/** Plays `numRuns` plans in the store, each in its own conversations. */
export async function holdCitationLaw(place: Place, numRuns: number): Promise<void> {
  let played = 0;
  await fc.assert(
    fc.asyncProperty(citingPlan, async (plan) => {
      const conversations = await playCiting(plan, { ...place, name: `c${++played}` });
      expect(await citationFaults(place.store, conversations)).toEqual([]);
    }),
    { numRuns },
  );
}
