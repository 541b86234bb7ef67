/** Three things to try on the first visit. Each works with the offline model, without a key and without a network. */
import { fetchFile } from "../api/client.ts";

export interface FirstTask {
  readonly icon: "report" | "remember" | "ask";
  readonly title: string;
  readonly note: string;
  readonly message: string;
  readonly files: () => Promise<readonly File[]>;
}

const SAMPLE = "north-ridge-survey.md";

async function sample(): Promise<readonly File[]> {
  const answer = await fetchFile(`/sample/${SAMPLE}`);
  return [new File([await answer.blob()], SAMPLE, { type: "text/markdown" })];
}

export const FIRST_TASKS: readonly FirstTask[] = [
  {
    icon: "report",
    title: "Write a report",
    note: "about a sample document, with a plan, quotations and a file",
    message: "Write a report about the attached document",
    files: sample,
  },
  {
    icon: "ask",
    title: "Ask a document",
    note: "and follow each quotation to where it comes from",
    message: "Which cairns need repair before the winter?",
    files: sample,
  },
  {
    icon: "remember",
    title: "Keep something in mind",
    note: "a note that is still there when you ask next week",
    message: "Remember that the survey goes to Mara on 3 March, with photographs of every cairn",
    files: async () => [],
  },
];
