/** Asks a person the question of a running call, field by field. */
import type { ConsentAnswer } from "@cairn/agent";
import { type FormField, formAnswer, formFields, type Question } from "@cairn/timeline";
import { plainLine } from "../../command/terminal.ts";

/** `prompt` returns null when the input has ended. Returns null when the person gave no answer. */
export async function askQuestion(
  question: Question,
  show: (line: string) => void,
  prompt: (text: string) => Promise<string | null>,
): Promise<Omit<ConsentAnswer, "ts"> | null> {
  show(plainLine(question.message));
  if (question.url !== undefined) show(`Visit: ${plainLine(question.url)}`);
  const consent = await prompt("Answer? [y: yes, N: decline, c: close without an answer] ");
  if (consent === null) return null;
  if (!/^y/i.test(consent.trim())) return { approve: false, dismiss: /^c/i.test(consent.trim()) };
  const typed: Record<string, string> = {};
  const fields = formFields(question);
  for (const field of fields) {
    const line = await prompt(promptOf(field));
    if (line === null) return null;
    typed[field.name] = line;
  }
  return { approve: true, answer: formAnswer(fields, typed) };
}

function promptOf({ title, description, options, kind, required, initial }: FormField): string {
  const choices = kind === "boolean" ? "yes/no" : options.map((option) => option.title).join(", ");
  const details = [
    description,
    kind === "choices" ? `any of: ${choices}` : choices,
    required ? "required" : "",
    initial === "" ? "" : `default: ${initial}`,
  ].filter((part) => part !== "");
  return `${plainLine(`${title}${details.length === 0 ? "" : ` (${details.join("; ")})`}`)}: `;
}
