/** The transport of a session, which counts the calls in progress. A call continues when its client disconnects. */
import {
  type HandleRequestOptions,
  isJSONRPCRequest,
  isSpecType,
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  /** Called with the id of the session when a call has its response. */
  onAnswered: (session: string) => void = () => undefined;
  readonly #unanswered = new Set<RequestId>();

  get isBusy(): boolean {
    return this.#unanswered.size > 0;
  }

  override async handleRequest(request: Request, options: HandleRequestOptions): Promise<Response> {
    const { parsedBody: body } = options;
    const call = isJSONRPCRequest(body) ? body.id : null;
    // A cancelled call gets no response, so it is no longer in progress.
    if (isSpecType.CancelledNotification(body)) this.#settle(body.params.requestId);
    if (call !== null) this.#unanswered.add(call);
    const response = await super.handleRequest(request, options);
    if (call !== null && !response.ok) this.#unanswered.delete(call);
    return response;
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    if (!("method" in message)) this.#settle(message.id);
    await super.send(message, options);
  }

  #settle(call: RequestId | undefined): void {
    if (call === undefined || !this.#unanswered.delete(call)) return;
    if (this.sessionId !== undefined) this.onAnswered(this.sessionId);
  }
}
