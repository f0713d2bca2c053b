import { type FollowedEvent, followSession } from "../../../src/agents/sessions/index.js";
import type { StreamEvent } from "../../../src/core/model/stream-event.js";
import type { Hub } from "../../../src/hub/index.js";

/** The events stored now, after a position. */
export async function eventsNow(hub: Hub, sessionId: string, after = "0"): Promise<readonly FollowedEvent[]> {
  const stop = new AbortController();
  const events: FollowedEvent[] = [];
  const { head } = await hub.logs.bounds(`session/${sessionId}`);
  const reading = (async () => {
    for await (const followed of followSession(hub, sessionId, { after, signal: stop.signal }))
      events.push(followed);
  })();
  // The generator reads the log once and then waits: one event loop turn after its reads, all events are here.
  for (let turn = 0; turn < 20 + head; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  stop.abort();
  await reading;
  return events;
}

/** A short name of an event, such as `content_block_start text` or `group_end`. */
export function short(event: StreamEvent): string {
  return event.type === "content_block_start" ? `${event.type} ${event.content_block.type}` : event.type;
}

export async function takeEvents(
  events: AsyncIterable<FollowedEvent>,
  count: number,
): Promise<readonly FollowedEvent[]> {
  const taken: FollowedEvent[] = [];
  for await (const followed of events) {
    taken.push(followed);
    if (taken.length === count) break;
  }
  return taken;
}
