// Outcomes for hosts that have lost their connection. The public plugin neither sends its question again nor resumes
// after a reconnect, so an outcome that no connection waits for is pushed to the host's new one.
//
//   ask --its connection closes--> nobody waits --ends before or after the reconnect--> pushed
//
// Which host asked is not stored: several may share a token. With an unguessable id, such as a UUID, that does not
// matter: every host of the token gets the outcome, and only the one that asked knows the id. An id that another host
// may have counted to as well (`exec-1`) is pushed only if it cannot be taken for another ask, see `isClear`
// (docs/decisions/0015).

import { keepNewest } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import type { AskEvent } from "../../core/model/event.js";
import type { Outcome } from "../../core/model/outcome.js";
import { askerOf, maySee } from "../../core/model/visibility.js";
import type { Principal } from "../access/principal.js";
import type { Tail } from "../live/tail.js";
import type { Services } from "../routing/call.js";
import { chargeRead } from "../routing/visible-asks.js";
import { isFromGateway } from "./names.js";

/** Ended asks that are looked at when a host connects: the newest of its token. */
const MOST_LOOKED_AT = 100;
/** An outcome without a deadline is pushed for this long. */
const RECENT_MS = 10 * 60_000;
/** Outcomes that this process remembers to have sent. */
const MOST_REMEMBERED = 10_000;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** A host's connection that outcomes can be pushed to. */
export interface HostLink {
  readonly principal: Principal;
  /** Whether it waits for this ask itself. */
  isWaitingFor(askId: string): boolean;
  send(ask: Ask, outcome: Outcome): void;
  /**
   * Resolves with true once the host has what was sent to it, and what it had sent before is stored; with false if the
   * connection closed first.
   */
  caughtUp(): Promise<boolean>;
}

export interface Undelivered {
  /** Pushes outcomes to this host until the result is called. */
  join(host: HostLink): () => void;
  /** The outcome was sent over this connection. It may be lost until the host has answered a ping. */
  sent(askId: string, host: HostLink): void;
  /** The host does not want the outcome. */
  unwanted(askId: string): void;
}

export function createUndelivered(
  { hub, rateLimits, logger }: Pick<Services, "hub" | "rateLimits" | "logger">,
  tail: Tail,
): Undelivered {
  /** Open connections, by the name of their token. */
  const hosts = new Map<string, Set<HostLink>>();
  /** Where outcomes were sent. One whose connection closed before the host answered a ping may have been lost. */
  const sentTo = new Map<string, HostLink | typeof RECEIVED>();

  const remember = (askId: string, to: HostLink | typeof RECEIVED): void => {
    sentTo.delete(askId);
    sentTo.set(askId, to);
    keepNewest(sentTo, MOST_REMEMBERED);
  };
  const sent = (askId: string, host: HostLink): void => {
    remember(askId, host);
    void host.caughtUp().then((isReceived) => {
      if (isReceived && sentTo.get(askId) === host) remember(askId, RECEIVED);
    });
  };
  const hostsOf = (ask: Ask): readonly HostLink[] =>
    [...(hosts.get(ask.asker ?? "") ?? [])].filter(({ principal }) => maySee(principal, ask));
  const isOpen = (host: HostLink): boolean => hosts.get(host.principal.name)?.has(host) === true;
  const isDelivered = (askId: string): boolean => {
    const to = sentTo.get(askId);
    return to !== undefined && (to === RECEIVED || isOpen(to));
  };

  /** Whether the id of this ask, which other hosts may use as well, can mean nothing else to this host. */
  const isClear = async (ask: Ask, host: HostLink): Promise<boolean> => {
    const { id, key = "" } = ask;
    // What the host has just sent may have the same id.
    await host.caughtUp();
    const uses = await hub.findKeys({ ...askerOf(host.principal), keys: [key], limit: 2 });
    return uses.length === 1 && uses[0]?.id === id && hostsOf(ask).length === 1 && isOpen(host);
  };

  const push = async (ask: Ask, host: HostLink): Promise<void> => {
    const { outcome, key = "" } = ask;
    if (outcome === undefined || !maySee(host.principal, ask)) return;
    if (!UUID.test(key) && (sentTo.has(ask.id) || !(await isClear(ask, host)))) return;
    if (!isOpen(host) || host.isWaitingFor(ask.id) || isDelivered(ask.id)) return;
    host.send(ask, outcome);
    if (!UUID.test(key)) sent(ask.id, host);
  };
  const pushAll = (ask: Ask, to: Iterable<HostLink>): void => {
    for (const host of [...to]) {
      push(ask, host).catch((error) => logger.warn(`failed to push the outcome of ${ask.id}`, error));
    }
  };

  const take = ({ type, ask }: AskEvent): void => {
    if (ask?.outcome === undefined || type !== `ask.${ask.outcome.kind}`) return;
    const own = hostsOf(ask);
    if (own.length === 0 || !isFromGateway(ask)) return;
    if (own.some((host) => host.isWaitingFor(ask.id)) || sentTo.has(ask.id)) return;
    pushAll(ask, own);
  };

  /** What ended while the host was away, as long as it may still wait for it. */
  const catchUp = async (host: HostLink): Promise<void> => {
    const { principal } = host;
    const filter = { ...askerOf(principal), status: "settled" as const };
    const { asks } = await hub.list(filter, { order: "newest", limit: MOST_LOOKED_AT });
    chargeRead(rateLimits, principal, asks);
    const now = hub.now();
    for (const ask of asks) {
      const until = ask.deadline ?? (ask.settledAt ?? 0) + RECENT_MS;
      if (until > now && isFromGateway(ask)) pushAll(ask, [host]);
    }
  };

  let leaveTail: (() => void) | undefined;
  const followTail = async (): Promise<void> => {
    const closeTail = await tail.open();
    const unfollow = tail.follow({
      take: ({ event }) => take(event),
      end: () => leaveTail?.(),
    });
    const leave = (): void => {
      unfollow();
      closeTail();
      if (leaveTail === leave) leaveTail = undefined;
    };
    if (hosts.size === 0 || leaveTail !== undefined) leave();
    else leaveTail = leave;
  };

  return {
    sent,
    unwanted: (askId) => remember(askId, RECEIVED),
    join(host) {
      const { name } = host.principal;
      const own = hosts.get(name) ?? new Set();
      hosts.set(name, own.add(host));
      const started = leaveTail === undefined ? followTail() : Promise.resolve();
      started
        .then(() => catchUp(host))
        .catch((error) => logger.warn("failed to look for outcomes of a host that connected", error));
      return () => {
        own.delete(host);
        if (own.size === 0) hosts.delete(name);
        if (hosts.size === 0) leaveTail?.();
      };
    },
  };
}

const RECEIVED = "received";
