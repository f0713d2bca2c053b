// The hub: a Resolver for agents and an Inbox for persons, over a Store.
//
// Persist before showing: an ask is stored before any surface sees it. Persist before resuming: an outcome is stored
// before the agent wakes. A crash between the two costs latency, never an answer.

import { LIMITS } from "../core/kit/limits.js";
import { pages } from "../core/kit/pages.js";
import type { Tracing } from "../core/kit/tracing.js";
import type { Ask, DeliveredAsk } from "../core/model/ask.js";
import { deliverAsk } from "../core/model/delivery.js";
import { AsklineError } from "../core/model/error.js";
import type { AskPage, By } from "../core/model/ports.js";
import { transition } from "../core/rules/lifecycle.js";
import { requireAnswerer } from "../core/rules/parse-answerer.js";
import { createDeadlines } from "./asking/deadlines.js";
import { createSettlementIds, newHubId } from "./asking/new-ask.js";
import { createListPage, whole } from "./asking/paging.js";
import { createQuotas, QUOTAS } from "./asking/quotas.js";
import { createRequests } from "./asking/requests.js";
import { createEndings, createSettling } from "./asking/settling.js";
import { createSubmitting } from "./asking/submitting.js";
import { createWaiters } from "./asking/waiters.js";
import { eventsOfAsk, streamBatches, streamEvents } from "./events/event-stream.js";
import { createFeed } from "./events/feed.js";
import { createHubLogs, createLogWakes } from "./events/hub-logs.js";
import { ASK_NAMESPACES, OPENED_NAMESPACE, openedKey } from "./records/ask-records.js";
import { createAwaiting } from "./records/awaiting.js";
import { createDeliveries } from "./records/deliveries.js";
import { createDrafts } from "./records/drafts.js";
import { expireNames } from "./records/names.js";
import { createPresence } from "./records/presence.js";
import { createResumes } from "./records/resumes.js";
import { createRules } from "./records/rules.js";
import { createShowings } from "./records/showings.js";
import { createTouches } from "./records/touches.js";
import { createTranscriptBytes } from "./records/transcript-bytes.js";
import { pruneOpened, pruneTranscripts } from "./records/transcripts.js";
import { machineClock } from "./seam/machine-clock.js";
import type { Hub, HubOptions } from "./seam/port.js";
import { type Changed, EVENT_LOG, PAGE_SIZE } from "./seam/store.js";

/**
 * Opens a store and serves asks from it.
 *
 * @example
 * const hub = await createHub({ store });
 * const ask = await hub.post({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
 * await hub.answer(ask.id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by });
 */
export async function createHub(options: HubOptions): Promise<Hub> {
  const { clock = machineClock(), logger = console, limits = {}, tracing } = options;
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
  const awaiting = createAwaiting(store, clock, logger, hubId, waiters.awaited);
  const feed = await createFeed(
    store,
    {
      ...waiters,
      isStored: (id) => !inserting.has(id),
      committedElsewhere() {
        wakes.wroteAny();
        drafts.committedElsewhere();
        awaiting.committedElsewhere();
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
  const { storedBytes = QUOTAS.storedBytes } = limits;
  const transcriptBytes = createTranscriptBytes(store, storedBytes, () =>
    options.onQuotaRefused?.("storedBytes"),
  );
  const quotas = createQuotas(
    store,
    transcriptBytes,
    (query) => streamBatches(store, feed, () => closed, query),
    limits,
    options.onQuotaRefused,
  );
  const showings = createShowings(store);
  const resumes = createResumes(store, newSettlementId);
  const rules = createRules(store);
  const listPage = createListPage(store, {
    usual: usualPage,
    largest: largestPage,
    largestSize: largestPageSize,
  });
  const settling = createSettling(store, newSettlementId, onChange, rules.recordsOf);
  const touches = createTouches(store, clock, logger, waiters.awaited);
  /** Asks that had ended before this time were removed, and their names may not expire yet. 0: by an earlier process. */
  let namesDue: number | undefined = 0;

  const requireOpen = (): void => {
    if (closed) throw closedError();
  };
  /** The same call, which rejects once the hub is closed. Not async: that would add microtask turns to each call. */
  const whileOpen =
    <Given extends readonly unknown[], Result>(
      call: (...given: Given) => Promise<Result>,
    ): ((...given: Given) => Promise<Result>) =>
    (...given) =>
      closed ? Promise.reject(closedError()) : call(...given);

  const submitting = createSubmitting({
    ...{ store, logger, waiters, settling, deliveries, touches, quotas, inserting },
    rules,
    callbacks: options.callbacks,
    checkRecipients: options.checkRecipients,
    canReach: presence.canReach,
    onStored(ask) {
      onWrite(ask);
      if (ask.deadline !== undefined) deadlines.add(ask.deadline);
    },
  });
  const hub: Hub = {
    ...createRequests({ parsing, submitting, settling, deliveries, touches, requireOpen }),
    ...createEndings(settling, () => (closed ? closedError() : undefined)),

    async escalate(id, to) {
      requireOpen();
      const ask = await settling.find(id);
      const newcomers = [...new Set(to)].filter((person) => !ask.recipients.includes(person));
      if (ask.outcome !== undefined || ask.recipients.length === 0 || newcomers.length === 0) return ask;
      const room = LIMITS.recipients - ask.recipients.length;
      if (newcomers.length > room) {
        throw new AsklineError("too_large", `${id} may have at most ${LIMITS.recipients} recipients`);
      }
      const changed = await store.asks.change(id, { kind: "escalate", to: newcomers });
      if (changed?.applied) onChange(changed);
      return changed?.ask ?? ask;
    },

    list: whileOpen((filter = {}, page = {}) => listPage(filter, page)),
    get: whileOpen(async (id) => deliverAsk(await settling.find(id))),
    claimResume: whileOpen(async (id, options = {}) => resumes.claim(await settling.find(id), options)),
    finishResume: whileOpen(async (id, holder) => resumes.finish(await settling.find(id), holder)),

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
        when: ask.onDeadline === "wait" ? "anytime" : undefined,
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
      const read = (next: string | undefined): Promise<AskPage<DeliveredAsk>> =>
        listPage({ ...filter, status: "pending" }, { after: next });
      for await (const { asks } of pages(read)) {
        for (const ask of asks) {
          if (signal?.aborted) return;
          yield ask;
        }
      }
      const { status: _, ...changing } = filter;
      const query = { after, filter: changing, signal };
      for await (const { ask } of streamEvents(store, feed, () => closed, query)) {
        if (ask !== undefined) yield ask;
      }
    },

    audit: whileOpen(async (id) => {
      await settling.find(id);
      return eventsOfAsk(store, id);
    }),
    shown: whileOpen(async (id, showing) => {
      if ((await settling.find(id)).outcome === undefined) await showings.record(id, showing);
    }),
    showings: whileOpen(showings.list),
    findKeys: whileOpen((query) => store.asks.findKeys(query)),

    now: () => store.now(),
    position: whileOpen(async () => (await store.logs.bounds(EVENT_LOG)).head),

    isAwaited: waiters.isAwaited,
    awaited: whileOpen(async (ids) => {
      const elsewhere = await awaiting.elsewhere();
      return new Set(ids.filter((id) => waiters.isAwaited(id) || elsewhere.has(id)));
    }),
    presence,
    rules: { list: whileOpen(rules.list), revoke: whileOpen(rules.revoke) },
    logs: createHubLogs(store, wakes, requireOpen, store, transcriptBytes),
    records: {
      get: whileOpen((...record) => store.records.get(...record)),
      put: whileOpen((...record) => store.records.put(...record)),
    },
    onDraft: drafts.listen,

    async prune({ settledBefore, limit = 1_000 }) {
      requireOpen();
      const before = whole("settledBefore", settledBefore);
      const maxRemoved = whole("limit", limit);
      const asks = await store.asks.prune(before, maxRemoved, ASK_NAMESPACES);
      // The recent events that the feed remembers may have been removed.
      feed.poke();
      if (asks > 0 || namesDue !== undefined) namesDue = Math.max(namesDue ?? 0, before);
      // Reads all names, so once for all batches.
      if (namesDue !== undefined && asks < maxRemoved) {
        await expireNames(store, namesDue);
        namesDue = undefined;
      }
      await pruneOpened(store, before);
      return { asks, transcripts: await pruneTranscripts(store, before, maxRemoved) };
    },

    check: whileOpen(async () => void (await (store.check?.() ?? store.logs.bounds(EVENT_LOG)))),
    backup: whileOpen(async (path) => {
      if (store.backup !== undefined) return store.backup(path);
      throw new AsklineError("unsupported", `the ${store.name} store has no backup of its own`);
    }),

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
    await awaiting.close();
    await presence.close();
    await deliveries.close();
    await touches.close();
    await store.close();
  };

  return tracing === undefined ? hub : { ...hub, ask: tracedAsk(hub.ask, tracing) };
}

function requirePerson(by: By["by"]): Extract<By["by"], { readonly kind: "person" }> {
  const answerer = requireAnswerer(by);
  if (answerer.kind === "person") return answerer;
  throw new AsklineError("forbidden", "only a person can open an ask and save a draft");
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
