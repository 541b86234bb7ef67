/** An answer that uses every feature of Markdown. */
export const RICH_ANSWER = `## What the ridge needs

Six cairns need repair **before the winter**, and three have *fallen*. The oldest stands at the Saddle; see [the map](https://example.com/map).

| Part of the path | Cairns | To repair | Fallen |
|:--|--:|--:|--:|
| Hollin Gate to the wall | 11 | 2 | 0 |
| The wall to the Saddle | 14 | 1 | 2 |
| The Saddle to Carrick Law | 16 | 3 | 1 |

A stack of $n$ stones of height $h_i$ leans safely while its centre stays over its base:

$$
\\left|\\frac{1}{n}\\sum_{i=1}^{n} x_i\\right| < \\frac{w}{2}
$$

1. Rebuild the fallen ones first.
   - Two people, one day each.
   - Stone lies within fifty metres.
2. Move cairn 23 to the west.

- [x] Survey
- [ ] Repairs

> A cairn that can be seen from the one before it is worth more than a taller one that cannot.

\`\`\`ts
const stones = [4, 9, 17, 28, 33, 36];
export function needsRepair(cairn: number): boolean {
  return stones.includes(cairn); // before the winter
}
\`\`\`
`;
