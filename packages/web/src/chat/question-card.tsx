/** A question of a call: a form with one field for each value, or a page to visit, and the buttons. */
import { type ApprovalView, type FormField, formAnswer, formFields, type Question } from "@cairn/timeline";
import { MessageCircleQuestion } from "lucide-react";
import { useContext, useId, useState } from "react";
import { approve } from "../state/turn-actions.ts";
import { showDirections } from "../text/shown-directions.ts";
import { Button } from "../ui/button.tsx";
import { ChatContext } from "./chat-context.ts";

const INPUT = "mt-1 w-full rounded-lg border border-line bg-surface px-3 py-1.5 text-sm";

export function QuestionCard({ asked, question }: { readonly asked: ApprovalView; readonly question: Question }) {
  const { conversationId } = useContext(ChatContext);
  const fields = formFields(question);
  const [typed, setTyped] = useState(() => Object.fromEntries(fields.map(({ name, initial }) => [name, initial])));
  const [isSent, setSent] = useState(false);
  const isMissing = fields.some(({ name, required }) => required && (typed[name] ?? "").trim() === "");
  const send = async (isAnswered: boolean, dismiss = false) => {
    setSent(true);
    const said = isAnswered ? { answer: formAnswer(fields, typed) } : { dismiss };
    const { call_id, hash } = asked;
    await approve(conversationId, call_id, {
      approve: isAnswered,
      hash,
      remember: false,
      reason: "",
      params: null,
      ...said,
    });
    setSent(false);
  };
  return (
    <section aria-label="Question" className="my-1.5 rounded-xl border border-ochre bg-ochre-soft p-3.5">
      <h3 className="flex items-center gap-2 text-sm font-semibold text-ochre">
        <MessageCircleQuestion className="size-4" /> <span className="font-mono text-xs">{asked.tool_id}</span> asks
      </h3>
      <p className="mt-1 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">{showDirections(question.message)}</p>
      {question.url === undefined ? null : (
        <a
          className="mt-1 block text-sm text-accent underline [overflow-wrap:anywhere]"
          href={question.url}
          target="_blank"
          rel="noreferrer noopener"
        >
          {showDirections(question.url)}
        </a>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send(true);
        }}
      >
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={typed[field.name] ?? ""}
            onChange={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        <div className="mt-3 flex flex-wrap gap-2">
          <Button type="submit" look="strong" disabled={isSent || isMissing}>
            {question.url === undefined ? "Send" : "I have done this"}
          </Button>
          <Button disabled={isSent} onClick={() => send(false)}>
            Decline
          </Button>
          <Button disabled={isSent} onClick={() => send(false, true)}>
            Close
          </Button>
        </div>
      </form>
    </section>
  );
}

interface FieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Field({ field, value, onChange }: FieldProps) {
  const id = useId();
  const { title, description, required } = field;
  return (
    <div className="mt-2 text-sm">
      <label htmlFor={id} className="font-medium">
        {showDirections(title)}
        {required ? " *" : null}
      </label>
      <Control id={id} field={field} value={value} onChange={onChange} />
      {description === "" ? null : <p className="mt-0.5 text-xs text-soft">{showDirections(description)}</p>}
    </div>
  );
}

function Control({ id, field, value, onChange }: FieldProps & { readonly id: string }) {
  const { kind, options } = field;
  if (kind === "choices") {
    const { [field.name]: given } = formAnswer([field], { [field.name]: value });
    const chosen = Array.isArray(given) ? given.map(String) : [];
    return (
      <select
        id={id}
        multiple
        className={INPUT}
        value={chosen}
        onChange={({ target }) => onChange(Array.from(target.selectedOptions, (option) => option.value).join(","))}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {showDirections(option.title)}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "choice" || kind === "boolean") {
    const shown = kind === "choice" ? options : YES_NO;
    return (
      <select id={id} className={INPUT} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="" />
        {shown.map((option) => (
          <option key={option.value} value={option.value}>
            {showDirections(option.title)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      id={id}
      className={INPUT}
      inputMode={kind === "number" ? "decimal" : "text"}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

const YES_NO = [
  { value: "true", title: "Yes" },
  { value: "false", title: "No" },
];
