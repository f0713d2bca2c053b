// The hub: a Resolver for agents and an Inbox for persons, over a Store.
//
// Persist before showing: an ask is stored before any surface sees it. Persist before resuming: an outcome is stored
// before the agent wakes. A crash between the two costs latency, never an answer.

import {
  type Ask,
  AsklineError,
  type AskRequest,
  abortReason,
  type By,
  type Callback,
  type DeliveredAsk,
  type DeliveredOutcome,
  deliverAsk,
  requireAsk,
  systemClock,
  type Tracing,
  transition,
  untilAborted,
} from "../core/index.js";
import { requireAnswerer } from "../core/rules/parse-answerer.js";
import { endOrWithdraw } from "../core/tool/abort.js";
import { createDeadlines } from "./asking/deadlines.js";
import { createSettlementIds, newAsk, newAskId, newHubId, sameContent } from "./asking/new-ask.js";
import { createListPage, whole } from "./asking/paging.js";
import { createQuotas } from "./asking/quotas.js";
import { createSettling, type Settling } from "./asking/settling.js";
import { createWaiters, hasEnded } from "./asking/waiters.js";
import { eventsOfAsk, streamBatches, streamEvents } from "./events/event-stream.js";
import { createFeed } from "./events/feed.js";
import { createHubLogs, createLogWakes } from "./events/hub-logs.js";
import { ASK_NAMESPACES, OPENED_NAMESPACE, openedKey } from "./records/ask-records.js";
import { deleteCallback, putCallback } from "./records/callbacks.js";
import { createDeliveries } from "./records/deliveries.js";
import { createDrafts } from "./records/drafts.js";
import { createPresence } from "./records/presence.js";
import { createResumes } from "./records/resumes.js";
import { createShowings } from "./records/showings.js";
import { beginEntries, pruneOpened, pruneTranscripts } from "./records/transcripts.js";
import type { AskerOption, AttendedAsk, CallbackPolicy, Hub, HubOptions, Submitted } from "./seam/port.js";
import { type Changed, EVENT_LOG, type Inserted, PAGE_SIZE } from "./seam/store.js";

/**
 * Opens a store and serves asks from it.
 *
 * @example
 * const hub = await createHub({ store });
 * const ask = await hub.post({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
 * await hub.answer(ask.id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by });
 */
export async function createHub(options: HubOptions): Promise<Hub> {
  const { clock = systemClock, logger = console, limits = {}, tracing } = options;
  const store = tracing?.store(options.store) ?? options.store;
  const { page: usualPage = 50, largestPage = 500, largestPageSize = PAGE_SIZE, profile } = limits;
  const parsing = profile === undefined ? {} : { profile };
  await store.open({ clock, logger });

  let closed = false;
  let closing: Promise<void> | undefined;
  const waiters = createWaiters();
  /** The ids of asks that may already be awaited but are not stored yet. */
  const inserting = new Set<string>();
  const wakes = createLogWakes();
  const hubId = newHubId();
  const drafts = createDrafts(store, clock, logger, hubId);
  const feed = await createFeed(
    store,
    {
      ...waiters,
      isStored: (id) => !inserting.has(id),
      committedElsewhere() {
        wakes.wroteAny();
        drafts.committedElsewhere();
      },
    },
    clock,
    logger,
  ).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const onWrite = ({ transcript }: Ask): void => {
    feed.wroteAsk();
    if (transcript !== undefined) wakes.wrote(transcript);
  };
  const onChange = ({ ask }: Changed): void => {
    waiters.wake(ask);
    onWrite(ask);
  };
  const newSettlementId = createSettlementIds(hubId);
  const deadlines = createDeadlines(store, clock, logger, newSettlementId, onChange);
  const presence = createPresence(store, clock, logger, hubId);
  const deliveries = createDeliveries(store, logger);
  const requireQuota = createQuotas(store, limits);
  const showings = createShowings(store);
  const resumes = createResumes(store, newSettlementId);
  const listPage = createListPage(store, {
    usual: usualPage,
    largest: largestPage,
    largestSize: largestPageSize,
  });
  const settling = createSettling(store, newSettlementId, onChange);

  const requireOpen = (): void => {
    if (closed) throw closedError();
  };

  let warned = false;
  const warnOfReuse = (): void => {
    if (warned) return;
    warned = true;
    logger.warn(
      "a key was used again without a session: the outcome of its first ask was delivered, so it is asked anew; give a session to keep a key (said once)",
    );
  };

  const find = async (id: string): Promise<DeliveredAsk> => deliverAsk(await settling.find(id));

  /** Stores a request under `id`, or returns the ask that its key already identifies. */
  const insert = async (
    id: string,
    request: AskRequest,
    { asker, transcript }: AskerOption,
  ): Promise<DeliveredAsk> => {
    const ask = newAsk(id, request, store.now(), { asker, transcript });
    const { deadline } = ask;
    const checking = requireQuota(ask);
    if (checking !== undefined) await checking;
    const { callback } = request;
    if (callback !== undefined) {
      requireCallback(callback, options.callbacks);
      await putCallback(store, id, callback);
    }
    inserting.add(id);
    let inserted: Inserted;
    try {
      inserted = await store.asks.insert({ ask }, beginEntries(ask));
    } finally {
      inserting.delete(id);
    }
    if (inserted.kind === "known") {
      if (callback !== undefined) await deleteCallback(store, id);
      const same = sameContent(request, inserted.ask);
      if (await deliveries.isOver(inserted.ask, same)) {
        warnOfReuse();
        await store.asks.releaseKey(inserted.ask.id);
        return insert(id, request, {
          ...(asker !== undefined && { asker }),
          ...(transcript !== undefined && { transcript }),
        });
      }
      if (same) {
        // An agent that started again waits at a new address. An ended ask is in the response.
        if (callback !== undefined && inserted.ask.outcome === undefined) {
          await putCallback(store, inserted.ask.id, callback);
        }
        return deliverAsk(inserted.ask);
      }
      throw new AsklineError(
        "key_conflict",
        `the key "${request.key}" was used in this session for another ask; use a new key`,
      );
    }
    settling.expect(ask);
    onWrite(ask);
    if (deadline !== undefined) deadlines.add(deadline);
    if (request.requireSurface && !(await presence.canReach(ask))) {
      const reason = "nobody who may answer has a surface connected";
      return settling.end(id, { type: "unreachable", reason }).catch(async (error: unknown) => {
        // The ask was settled meanwhile, without a connected surface: return it as it is.
        if (error instanceof AsklineError && error.code === "already_settled") return find(id);
        throw error;
      });
    }
    return deliverAsk(inserted.ask);
  };

  /** Registers a waiter before it gets the ask, so an end is either visible in the ask or wakes the waiter. */
  const attend = async (id: string, get: () => Promise<DeliveredAsk>): Promise<AttendedAsk> => {
    const waiting = waiters.add(id);
    try {
      const ask = await get();
      if (ask.id === id && !hasEnded(ask)) return { ask, waiting };
      waiting.stop();
      return hasEnded(ask) ? { ask } : await attendStored(ask.id);
    } catch (error) {
      waiting.stop();
      throw error;
    }
  };
  const attendStored = (id: string): Promise<AttendedAsk> => attend(id, () => find(id));

  const submit = async (request: AskRequest, options: AskerOption): Promise<Submitted> => {
    const id = newAskId();
    const attended = await attend(id, () => insert(id, request, options));
    return { ...attended, created: attended.ask.id === id };
  };

  // Not async: that would add a microtask turn to each answer.
  const end: Settling["end"] = (id, ending, settlementId) =>
    closed ? Promise.reject(closedError()) : settling.end(id, ending, settlementId);

  const hub: Hub = {
    async submit(input, options = {}) {
      requireOpen();
      return submit(requireAsk(input, parsing), options);
    },

    async ask(input, { signal, ...options } = {}) {
      requireOpen();
      const request = requireAsk(input, parsing);
      if (signal?.aborted) return { kind: "withdrawn" };
      const submitted = await submit(request, options);
      return endOrWithdraw(signal, request, outcomeOf(submitted, signal, deliveries.mark), () =>
        settling.end(submitted.ask.id, { type: "withdraw" }),
      );
    },

    async post(input, options) {
      const { ask, waiting } = await hub.submit(input, options);
      waiting?.stop();
      return ask;
    },

    async attend(id) {
      requireOpen();
      return attendStored(id);
    },

    async wait(id, { signal } = {}) {
      requireOpen();
      if (signal?.aborted) throw abortReason(signal);
      return outcomeOf(await attendStored(id), signal, deliveries.mark);
    },

    delivered: deliveries.mark,

    async withdraw(id, reason) {
      requireOpen();
      return settling.end(id, { type: "withdraw", ...(reason !== undefined && { reason }) });
    },

    async list(filter = {}, page = {}) {
      requireOpen();
      return listPage(filter, page);
    },

    async get(id) {
      requireOpen();
      return find(id);
    },

    // `options?.`: an untyped caller may omit the options, and must get a rejection, not a synchronous throw.
    answer: (id, submission, options) =>
      end(id, { type: "answer", submission, by: options?.by }, options?.settlementId),
    decide: (id, submission, options) =>
      end(id, { type: "decide", submission, by: options?.by }, options?.settlementId),
    decline: (id, reason, options) =>
      end(id, { type: "decline", reason, by: options?.by }, options?.settlementId),
    reply: (id, text, options) => end(id, { type: "reply", text, by: options?.by }, options?.settlementId),

    async report(id, report, options) {
      const { person, surface } = report;
      const by = { kind: "person" as const, id: person, surface, via: options.via };
      if ("answer" in report)
        return end(id, { type: "answer", submission: report.answer, by }, options.settlementId);
      if ("decide" in report)
        return end(id, { type: "decide", submission: report.decide, by }, options.settlementId);
      if ("decline" in report) {
        return end(id, { type: "decline", reason: report.decline.reason, by }, options.settlementId);
      }
      return end(id, { type: "reply", text: report.reply.text, by }, options.settlementId);
    },

    async claimResume(id, options = {}) {
      requireOpen();
      return resumes.claim(await settling.find(id), options);
    },

    async finishResume(id, holder) {
      requireOpen();
      return resumes.finish(await settling.find(id), holder);
    },

    async saveDraft(id, draft, options) {
      requireOpen();
      const by = requirePerson(options?.by);
      const { id: person, surface } = by;
      const ask = await settling.find(id, by);
      await drafts.save(ask, person, surface, draft);
      const step = transition(ask, { type: "activity" }, store.now());
      if (step.kind !== "extended") return;
      const changed = await store.asks.change(id, {
        ...{ kind: "extend", deadline: step.deadline },
        ...(ask.onDeadline === "wait" && { when: "anytime" as const }),
      });
      if (changed?.applied) onChange(changed);
    },

    async draft(id, options) {
      requireOpen();
      const by = requirePerson(options?.by);
      await settling.find(id, by);
      return drafts.get(id, by.id);
    },

    async opened(id, options) {
      requireOpen();
      const by = requirePerson(options?.by);
      const { id: person, surface } = by;
      await settling.find(id, by);
      const put = await store.records.put(OPENED_NAMESPACE, openedKey(id, person, surface), true, {
        expect: null,
        append: [{ log: EVENT_LOG, type: "ask.opened", subject: id, data: { by } }],
      });
      if (put.ok) feed.poke();
    },

    events: (query = {}) => streamEvents(store, feed, () => closed, query),
    eventBatches: (query = {}) => streamBatches(store, feed, () => closed, query),

    async *watch(filter = {}, { signal } = {}) {
      requireOpen();
      // Take the position before the list, so that a change during the list comes again as an event.
      const after = await hub.position();
      for (let next: string | undefined; ; ) {
        const page = await listPage(
          { ...filter, status: "pending" },
          next === undefined ? {} : { after: next },
        );
        for (const ask of page.asks) {
          if (signal?.aborted) return;
          yield ask;
        }
        if (page.next === undefined) break;
        next = page.next;
      }
      const { status: _, ...changing } = filter;
      const query = { after, filter: changing, ...(signal !== undefined && { signal }) };
      for await (const { ask } of streamEvents(store, feed, () => closed, query)) {
        if (ask !== undefined) yield ask;
      }
    },

    async audit(id) {
      requireOpen();
      await settling.find(id);
      return eventsOfAsk(store, id);
    },

    async shown(id, showing) {
      requireOpen();
      if ((await settling.find(id)).outcome === undefined) await showings.record(id, showing);
    },

    async showings(id) {
      requireOpen();
      return showings.list(id);
    },

    async findKeys(query) {
      requireOpen();
      return store.asks.findKeys(query);
    },

    now: () => store.now(),

    async position() {
      requireOpen();
      return (await store.logs.bounds(EVENT_LOG)).head;
    },

    isAwaited: waiters.isAwaited,
    presence,
    logs: createHubLogs(store, wakes, requireOpen, store),
    records: {
      async get(...record) {
        requireOpen();
        return store.records.get(...record);
      },
      async put(...record) {
        requireOpen();
        return store.records.put(...record);
      },
    },
    onDraft: drafts.listen,

    async prune({ settledBefore, limit = 1_000 }) {
      requireOpen();
      const before = whole("settledBefore", settledBefore);
      const maxRemoved = whole("limit", limit);
      const asks = await store.asks.prune(before, maxRemoved, ASK_NAMESPACES);
      // The recent events that the feed remembers may have been removed.
      feed.poke();
      await pruneOpened(store, before);
      return { asks, transcripts: await pruneTranscripts(store, before, maxRemoved) };
    },

    async check() {
      requireOpen();
      await (store.check?.() ?? store.logs.bounds(EVENT_LOG));
    },

    async backup(path) {
      requireOpen();
      if (store.backup === undefined) {
        throw new AsklineError("unsupported", `the ${store.name} store has no backup of its own`);
      }
      return store.backup(path);
    },

    close() {
      closing ??= close();
      return closing;
    },
  };

  const close = async (): Promise<void> => {
    closed = true;
    deadlines.close();
    waiters.rejectAll(closedError());
    feed.close();
    wakes.wroteAny();
    await drafts.close();
    await presence.close();
    await deliveries.close();
    await store.close();
  };

  return tracing === undefined ? hub : { ...hub, ask: tracedAsk(hub.ask, tracing) };
}

async function outcomeOf(
  { ask, waiting }: AttendedAsk,
  signal: AbortSignal | undefined,
  deliver: (ask: Ask) => void,
): Promise<DeliveredOutcome> {
  if (waiting === undefined) {
    deliver(ask);
    return ask.outcome;
  }
  try {
    const ended = await untilAborted(signal, waiting.ended);
    deliver(ended);
    return ended.outcome;
  } finally {
    waiting.stop();
  }
}

function requirePerson(by: By["by"]): Extract<By["by"], { readonly kind: "person" }> {
  const answerer = requireAnswerer(by);
  if (answerer.kind === "person") return answerer;
  throw new AsklineError("forbidden", "only a person can open an ask and save a draft");
}

function requireCallback({ url }: Callback, policy: CallbackPolicy | undefined): void {
  if (policy === undefined) {
    throw new AsklineError("unsupported", "callbacks are not delivered here; ask without one, and wait");
  }
  const message = policy.refuses(new URL(url));
  if (message === undefined) return;
  throw new AsklineError("invalid_ask", `invalid ask:\ncallback.url ${message}`, {
    issues: [{ code: "invalid_value", path: ["callback", "url"], message }],
  });
}

function closedError(): AsklineError {
  return new AsklineError(
    "closed",
    "the hub was closed; the ask stays pending: ask again with the same key to go on waiting",
  );
}

/** `hub.ask` within a span that records the kind of the outcome. */
function tracedAsk(ask: Hub["ask"], tracing: Tracing): Hub["ask"] {
  return (input, options) =>
    tracing.span("askline.ask", {}, async (span) => {
      const outcome = await ask(input, options);
      span.set({ "askline.outcome": outcome.kind });
      return outcome;
    });
}
