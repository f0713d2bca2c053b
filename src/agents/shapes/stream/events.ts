// Building the events of a stream, and the keys of its requests.

import type { StreamBlock, StreamDelta, StreamEvent } from "../../../core/model/stream-event.js";

/** The events of one block: its start, its delta if there is one, and its stop. */
export function blockEvents(
  index: number,
  content_block: StreamBlock,
  delta?: StreamDelta,
): readonly StreamEvent[] {
  return [
    { type: "content_block_start", index, content_block },
    ...(delta === undefined ? [] : [{ type: "content_block_delta" as const, index, delta }]),
    { type: "content_block_stop", index },
  ];
}

/** The `n`th request of a session, from 1. */
export function approvalKeyOf(sessionId: string, n: number): string {
  return `${sessionId}_${n}`;
}

/** The number in an approval key; undefined if the key does not belong to this session. */
export function approvalNumberOf(sessionId: string, approvalKey: string): number | undefined {
  const digits = approvalKey.startsWith(`${sessionId}_`) ? approvalKey.slice(sessionId.length + 1) : "";
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined;
}
