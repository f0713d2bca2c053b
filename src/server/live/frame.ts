import type { AskEvent } from "../../core/index.js";

/** An event as it goes over the wire. JSON has no line breaks, so its data is one line. */
export function eventFrame(event: AskEvent): string {
  return `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** An id without data raises no event, but tells the reader where to go on from. */
export function positionFrame(position: number): string {
  return `:\nid: ${position}\n\n`;
}

/** The last words to a reader that was too slow, or of a server that closes: for people, and as its last id. */
export function resumeFrame(position: number | string): string {
  return `: resume after ${position}\nid: ${position}\n\n`;
}
