// Parses server-sent events as in the HTML standard: lines end in CR, LF or CRLF, a blank line ends an event, and a
// chunk may end anywhere, even within a character or between CR and LF.

/** One event of a stream. An event that is cut off by the end of the stream is dropped. */
export interface SseMessage {
  readonly event: string;
  readonly data: string;
  /** The last id in the stream, with this event or before it. */
  readonly id: string;
}

export interface SseParser {
  /** The events that this chunk completes. Throws a `RangeError` if an event exceeds `maxLength`. */
  push(chunk: Uint8Array): readonly SseMessage[];
  /** The id of the last completed block, even if it had no data. */
  readonly lastId: string;
  /** How long the server wants us to wait before connecting again, in milliseconds. */
  readonly retryMs: number | undefined;
}

/** A parser for one connection. `maxLength` bounds the buffer for an unfinished event, in characters. */
export function createSseParser({ maxLength }: { readonly maxLength: number }): SseParser {
  // The decoder drops a byte order mark at the start.
  const decoder = new TextDecoder("utf-8");
  let line = "";
  let afterReturn = false;
  let event = "";
  let data: string[] = [];
  let dataLength = 0;
  let id = "";
  let lastId = "";
  let retryMs: number | undefined;

  const endEvent = (messages: SseMessage[]): void => {
    lastId = id;
    if (data.length > 0) {
      messages.push({ event: event === "" ? "message" : event, data: data.join("\n"), id });
    }
    event = "";
    data = [];
    dataLength = 0;
  };

  const takeField = (name: string, value: string): void => {
    if (name === "data") {
      data.push(value);
      dataLength += value.length + 1;
    } else if (name === "event") {
      event = value;
    } else if (name === "id") {
      if (!value.includes("\0")) id = value;
    } else if (name === "retry" && /^\d{1,9}$/.test(value)) {
      retryMs = Number(value);
    }
  };

  const endLine = (messages: SseMessage[]): void => {
    const text = line;
    line = "";
    const colon = text.indexOf(":");
    // A line that starts with a colon is a comment.
    if (text === "") endEvent(messages);
    else if (colon === -1) takeField(text, "");
    else if (colon > 0) takeField(text.slice(0, colon), text.slice(colon + 1).replace(/^ /, ""));
  };

  return {
    push(chunk) {
      const messages: SseMessage[] = [];
      const text = decoder.decode(chunk, { stream: true });
      if (text === "") return messages;
      // The previous chunk ended with CR: an LF now belongs to it.
      let start = afterReturn && text.startsWith("\n") ? 1 : 0;
      const lineEnd = /\r\n|\n|\r/g;
      lineEnd.lastIndex = start;
      for (let found = lineEnd.exec(text); found !== null; found = lineEnd.exec(text)) {
        line += text.slice(start, found.index);
        start = found.index + found[0].length;
        endLine(messages);
      }
      line += text.slice(start);
      afterReturn = text.endsWith("\r");
      if (line.length + dataLength + event.length + id.length > maxLength) {
        throw new RangeError(`an event in the stream is longer than ${maxLength} characters`);
      }
      return messages;
    },
    get lastId() {
      return lastId;
    },
    get retryMs() {
      return retryMs;
    },
  };
}
