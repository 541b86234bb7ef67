/** Limits of one request that the schemas contain. */

export const MAX_ATTACHMENTS = 20;
export const MAX_MESSAGE_CHARS = 200_000;
/** Maximum length of a reason for approving or refusing a call. */
export const MAX_REASON_CHARS = 2_000;
/** Maximum number of messages in a request of an AI SDK client. Only the last message is read. */
export const MAX_CHAT_MESSAGES = 10_000;
/** Maximum number of messages in an import of another system's messages. */
export const MAX_IMPORTED_MESSAGES = 10_000;
/** Maximum number of files in such an import. */
export const MAX_IMPORTED_FILES = 1_000;
export const MAX_MESSAGE_PARTS = 2_000;
