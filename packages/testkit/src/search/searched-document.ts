/** The documents that a provider under test searches. Ages are in days. */
export interface SearchedDocument {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly age: number;
}

export const SEARCHED_DOCUMENTS: readonly SearchedDocument[] = [
  {
    name: "cairns",
    title: "Cairns",
    text: "A cairn is a pile of stones. Hikers build cairns to mark a trail. Cairns are found on every continent.",
    age: 0,
  },
  {
    name: "lighthouses",
    title: "Lighthouses",
    text: "A lighthouse marks a dangerous coastline for ships at night. It is a tower with a lamp.",
    age: 3,
  },
  {
    name: "trails",
    title: "Long trails",
    text: "Long trails cross mountains; blazes, signs and a cairn here and there mark the way.",
    age: 20,
  },
  {
    name: "bread",
    title: "Rye bread & sourdough",
    text: "Sourdough bread needs flour, water, salt and <patience>. Bake it hot & dark.",
    age: 200,
  },
  {
    name: "harbours",
    title: "Häfen und Leuchttürme",
    text: "Im Hafen von Büsum steht ein rot-weißer Leuchtturm. 灯台は海岸にあります。",
    age: 900,
  },
];

export const DAY_MS = 86_400_000;
