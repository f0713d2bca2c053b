// A person's device: receives every ask that the person may answer, and answers them.
//
//   snapshot --all pending asks sent--> live --device too slow--> queueing --caught up--> live
//
// Events during the snapshot wait in the queue, so that an ask is never shown after its end.

import type { GatewayMessage } from "../../agents/shapes/gateway/decode.js";
import { pages } from "../../core/kit/pages.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { AskPage } from "../../core/model/ports.js";
import { maySee } from "../../core/model/visibility.js";
import { askSize } from "../../hub/seam/ask-size.js";
import type { LiveEvent, Tail } from "../live/tail.js";
import type { Services } from "../routing/call.js";
import { visiblePage } from "../routing/visible-asks.js";
import { createAnswering } from "./answering.js";
import { createCards } from "./cards.js";
import { CLOSE_CODES, type Connection, type Role } from "./connection.js";
import type { Names } from "./names.js";

const PAGE = 100;
/** Events that may wait for one device; beyond that it must reconnect and gets a new snapshot. */
const MOST_QUEUED = 10_000;
/** And the characters of their asks. */
const MOST_QUEUED_SIZE = 8 * 1024 * 1024;
/** Characters of pending asks that are read ahead of the device. */
const SNAPSHOT_SIZE = 512 * 1024;

export interface DeviceOptions {
  readonly surface: string;
  readonly tail: Tail;
  readonly names: Names;
}

/** An event, with the name of the ask if the event shows one. */
interface NamedEvent {
  readonly event: LiveEvent["event"];
  readonly name: string | Promise<string> | undefined;
}

export function createDevice(connection: Connection, services: Services, options: DeviceOptions): Role {
  const { hub, logger, shownLog } = services;
  const { surface, tail, names } = options;
  const { principal } = connection;
  const cards = createCards();
  const answering = createAnswering(connection, services, { cards, names, surface });
  const disconnect = hub.presence.connect(principal.name, surface);
  let queue: NamedEvent[] = [];
  let queuedSize = 0;
  let live = false;
  let leave = (): void => undefined;

  const show = (ask: Ask, name: string): void => {
    const text = cards.show(ask, name);
    if (text === undefined) return;
    connection.sendText(text);
    shownLog.sent(ask, principal, surface);
  };

  const sendEvent = ({ ask }: LiveEvent["event"], name: string | undefined): void => {
    if (ask === undefined) return;
    if (name !== undefined) show(ask, name);
    if (ask.outcome === undefined) return;
    // Also for an ask that was settled on this connection, whose card the ack has closed.
    shownLog.ended(ask.id);
    if (cards.isShown(ask.id)) answering.settled(ask);
  };

  const fail = (error: unknown): void => {
    const isClosing = error instanceof AsklineError && error.code === "closed";
    if (!isClosing) logger.warn("failed to send pending asks to a device", error);
    connection.close(CLOSE_CODES.tryLater, "pending asks cannot be read now; reconnect later");
  };

  /** Sends the queue at the reader's pace, then goes live. */
  const catchUp = async (): Promise<void> => {
    for (;;) {
      const events = queue;
      queue = [];
      for (const { event, name } of events) {
        const known = typeof name === "object" ? await name : name;
        if (!connection.isReady) await connection.ready();
        if (!connection.isOpen) return;
        sendEvent(event, known);
        if (event.ask !== undefined) queuedSize -= askSize(event.ask);
      }
      if (queue.length > 0) continue;
      live = true;
      return;
    }
  };

  const take = (event: LiveEvent["event"]): void => {
    // Most events are about asks of other people; who could see a pruned ask is unknown.
    if (event.ask === undefined || !maySee(principal, event.ask)) return;
    const name = isShowing(event) ? names.of(event.ask) : undefined;
    if (live && connection.isReady && typeof name !== "object") return void sendEvent(event, name);
    queue.push({ event, name });
    queuedSize += askSize(event.ask);
    if (queue.length > MOST_QUEUED || queuedSize > MOST_QUEUED_SIZE)
      return void connection.close(CLOSE_CODES.tryLater, "too slow; reconnect");
    if (!live) return;
    live = false;
    catchUp().catch(fail);
  };

  const snapshot = async (): Promise<void> => {
    const read = (after: string | undefined): Promise<AskPage> =>
      visiblePage(services, principal, { status: "pending" }, { limit: PAGE, maxSize: SNAPSHOT_SIZE, after });
    for await (const page of pages(read)) {
      const named = await Promise.all(page.asks.map(async (ask) => ({ ask, name: await names.of(ask) })));
      for (const { ask, name } of named) {
        if (!connection.isReady) await connection.ready();
        if (!connection.isOpen) return;
        show(ask, name);
      }
    }
  };

  const run = async (): Promise<void> => {
    const closeTail = await tail.open();
    const follower = {
      take: ({ event }: LiveEvent): void => take(event),
      end: (): void => connection.close(CLOSE_CODES.tryLater, "events cannot be read now; reconnect later"),
    };
    const unfollow = tail.follow(follower, principal.sessions);
    leave = () => {
      unfollow();
      closeTail();
    };
    if (!connection.isOpen) return leave();
    await snapshot();
    await catchUp();
  };

  run().catch(fail);

  return {
    name: "device",
    take(message: GatewayMessage) {
      switch (message.kind) {
        case "hook":
          return answering.take(message);
        case "ask":
        case "resume":
        case "withdraw":
          connection.countBad();
          throw new AsklineError("forbidden", "a device can only answer; connect as a host to ask");
        default:
          return undefined;
      }
    },
    end() {
      disconnect();
      leave();
      queue = [];
    },
  };
}

type Showing = LiveEvent["event"] & { readonly ask: Ask };

function isShowing(event: LiveEvent["event"]): event is Showing {
  return event.type === "ask.created" && event.ask !== undefined && event.ask.outcome === undefined;
}
