/**
 * The chat. The address contains the conversation's id, so the page can be reloaded at any time and the chat continues.
 */
import { useChat } from "@ai-sdk/react";
import { getToolName, isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";

if (location.hash === "") location.hash = crypto.randomUUID();
const id = location.hash.slice(1);

function Chat({ history }: { readonly history: UIMessage[] }) {
  const [text, setText] = useState("");
  const { messages, sendMessage, addToolApprovalResponse, status, error } = useChat({
    id,
    messages: history,
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const isBusy = status === "submitted" || status === "streaming";
  return (
    <main>
      {messages.map((message) => (
        <article key={message.id} className={message.role}>
          {message.parts.map((part, index) => {
            // Parts of a message are only added at its end.
            const key = `${message.id}-${index}`;
            if (part.type === "text") return <p key={key}>{part.text}</p>;
            if (!isToolUIPart(part)) return null;
            return (
              <div key={key} className="tool">
                <code>{`${getToolName(part)} ${JSON.stringify(part.input ?? {})}`}</code>
                {part.state === "approval-requested" &&
                  ([true, false] as const).map((approved) => (
                    <button
                      key={String(approved)}
                      type="button"
                      onClick={() => addToolApprovalResponse({ id: part.approval.id, approved })}
                    >
                      {approved ? "Approve" : "Refuse"}
                    </button>
                  ))}
              </div>
            );
          })}
        </article>
      ))}
      {error !== undefined && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() === "") return;
          void sendMessage({ text });
          setText("");
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit" disabled={isBusy}>
          Send
        </button>
        {isBusy && (
          <button type="button" onClick={() => void fetch(`/api/conversations/${id}/cancel`, { method: "POST" })}>
            Stop
          </button>
        )}
      </form>
    </main>
  );
}

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root.");
const history: UIMessage[] = await (await fetch(`/api/chat/${id}`)).json();
createRoot(root).render(<Chat history={history} />);
