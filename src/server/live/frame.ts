import type { Ask } from "../../core/model/ask.js";
import type { DraftHint } from "../../core/model/draft-hint.js";
import type { AskEvent } from "../../core/model/event.js";
import { omitPreviews } from "../../core/model/omitted-previews.js";
import { askSize } from "../../hub/seam/ask-size.js";

/** Characters of an ask that is sent without its previews, where many asks are sent. */
const LARGEST_WHOLE = 256 * 1024;

/** The ask for a list: without the contents of its previews if it is large. */
export function listedAsk(ask: Ask): Ask {
  return askSize(ask) > LARGEST_WHOLE ? omitPreviews(ask) : ask;
}

/** Characters of an ask that is sent with its events: a stream is written once for each of very many readers. */
const LARGEST_IN_EVENT = 64 * 1024;

/** An event as sent, without a large ask. JSON has no line breaks, so its data is one line. */
export function eventFrame({ ask, ...event }: AskEvent): string {
  const json = ask === undefined || askSize(ask) > LARGEST_IN_EVENT ? "" : JSON.stringify(ask);
  const start = JSON.stringify(event);
  const isSent = json !== "" && json.length <= LARGEST_IN_EVENT;
  const data = isSent ? `${start.slice(0, -1)},"ask":${json}}` : start;
  return `id: ${event.position}\nevent: ${event.type}\ndata: ${data}\n\n`;
}

/** A hint as sent. It has no id, because it has no position: it is not sent again to a reader that was away. */
export function draftFrame(hint: DraftHint): string {
  return `event: draft\ndata: ${JSON.stringify(hint)}\n\n`;
}

/** An id without data: raises no event, but sets the position to resume from. */
export function positionFrame(position: number): string {
  return `:\nid: ${position}\n\n`;
}

/** The last frame before the server ends a stream: the position to resume from, as a comment and as an id. */
export function resumeFrame(position: number | string): string {
  return `: resume after ${position}\nid: ${position}\n\n`;
}
