/**
 * How this folder's tests measure linear time: one run on an input of sixteen times the size against sixteen runs on the
 * small one, near 1 for linear work and near 16 for quadratic. Both sides run equally long, so that steady load on the
 * machine slows both alike; load that comes in between is met by measuring again, at most three times in all.
 */
import { growthOnDoubling } from "@cairn/testkit/growth";

/** The geometric mean of what linear and quadratic work give. */
export const LINEAR = 4;

export function growthBySixteen(make: (size: number) => string, run: (input: string) => unknown, size: number): number {
  const makeInput = (n: number) => (n > size ? { text: make(size * 16), times: 1 } : { text: make(size), times: 16 });
  const runAll = ({ text, times }: { text: string; times: number }) => {
    for (let done = 0; done < times; done++) run(text);
  };
  let lowest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && lowest >= LINEAR; attempt++)
    lowest = Math.min(lowest, growthOnDoubling(makeInput, runAll, size));
  return lowest;
}
