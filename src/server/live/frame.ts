import type { AskEvent } from "../../core/index.js";

/** An event as sent. JSON has no line breaks, so its data is one line. */
export function eventFrame(event: AskEvent): string {
  return `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** An id without data: raises no event, but sets the position to resume from. */
export function positionFrame(position: number): string {
  return `:\nid: ${position}\n\n`;
}

/** The last frame before the server ends a stream: the position to resume from, as a comment and as an id. */
export function resumeFrame(position: number | string): string {
  return `: resume after ${position}\nid: ${position}\n\n`;
}
