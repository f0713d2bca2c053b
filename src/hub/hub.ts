// The hub: a Resolver for agents and an Inbox for persons, over a Store.
//
// Persist before showing: an ask is stored before any surface sees it. Persist before resuming: an outcome is stored
// before the agent wakes. A crash between the two costs latency, never an answer.

import {
  type Ask,
  AsklineError,
  abortReason,
  type By,
  type DeliveredAsk,
  deliverAsk,
  LIMITS,
  requireAsk,
  systemClock,
  type Tracing,
  transition,
} from "../core/index.js";
import { requireAnswerer } from "../core/rules/parse-answerer.js";
import { endOrWithdraw } from "../core/tool/abort.js";
import { createDeadlines } from "./asking/deadlines.js";
import { createSettlementIds, newHubId } from "./asking/new-ask.js";
import { createListPage, whole } from "./asking/paging.js";
import { createQuotas } from "./asking/quotas.js";
import { createSettling, type Ending, type Settling } from "./asking/settling.js";
import { createSubmitting, outcomeOf } from "./asking/submitting.js";
import { createWaiters } from "./asking/waiters.js";
import { eventsOfAsk, streamBatches, streamEvents } from "./events/event-stream.js";
import { createFeed } from "./events/feed.js";
import { createHubLogs, createLogWakes } from "./events/hub-logs.js";
import { ASK_NAMESPACES, OPENED_NAMESPACE, openedKey } from "./records/ask-records.js";
import { createDeliveries } from "./records/deliveries.js";
import { createDrafts } from "./records/drafts.js";
import { createPresence } from "./records/presence.js";
import { createResumes } from "./records/resumes.js";
import { asksForRule, createRules } from "./records/rules.js";
import { createShowings } from "./records/showings.js";
import { createTouches } from "./records/touches.js";
import { pruneOpened, pruneTranscripts } from "./records/transcripts.js";
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
  const requireQuota = createQuotas(store, limits, options.onQuotaRefused);
  const showings = createShowings(store);
  const resumes = createResumes(store, newSettlementId);
  const rules = createRules(store);
  const listPage = createListPage(store, {
    usual: usualPage,
    largest: largestPage,
    largestSize: largestPageSize,
  });
  const settling = createSettling(store, newSettlementId, onChange);
  const touches = createTouches(store, clock, logger, waiters.awaited);

  const requireOpen = (): void => {
    if (closed) throw closedError();
  };

  const submitting = createSubmitting({
    ...{ store, logger, waiters, settling, deliveries, touches, requireQuota, inserting },
    decideByRule: rules.decide,
    callbacks: options.callbacks,
    canReach: presence.canReach,
    onStored(ask) {
      onWrite(ask);
      if (ask.deadline !== undefined) deadlines.add(ask.deadline);
    },
  });
  const { submit } = submitting;

  // Not async: that would add a microtask turn to each answer.
  const end: Settling["end"] = (id, ending, settlementId) =>
    closed ? Promise.reject(closedError()) : settling.end(id, ending, settlementId);

  /** The rule is there before the agent wakes, which may ask again at once. It is removed if the decision fails. */
  const decideAndRemember = async (
    id: string,
    ending: Extract<Ending, { type: "decide" }>,
    settlementId: string | undefined,
  ): Promise<DeliveredAsk> => {
    requireOpen();
    const by = requireAnswerer(ending.by);
    const forget = await rules.make(await settling.find(id, by), ending.submission, by);
    try {
      return await end(id, ending, settlementId);
    } catch (error) {
      await forget();
      throw error;
    }
  };

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
      return submitting.attend(id);
    },

    async wait(id, { signal } = {}) {
      requireOpen();
      if (signal?.aborted) throw abortReason(signal);
      return outcomeOf(await submitting.attend(id), signal, deliveries.mark);
    },

    isDelivered: deliveries.isDelivered,
    delivered(ask) {
      touches.touch(ask);
      deliveries.mark(ask);
    },

    async withdraw(id, reason) {
      requireOpen();
      return settling.end(id, { type: "withdraw", ...(reason !== undefined && { reason }) });
    },

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

    async list(filter = {}, page = {}) {
      requireOpen();
      return listPage(filter, page);
    },

    async get(id) {
      requireOpen();
      return deliverAsk(await settling.find(id));
    },

    // `options?.`: an untyped caller may omit the options, and must get a rejection, not a synchronous throw.
    answer: (id, submission, options) =>
      end(id, { type: "answer", submission, by: options?.by }, options?.settlementId),
    decide(id, submission, options) {
      const ending = { type: "decide" as const, submission, by: options?.by };
      return asksForRule(submission)
        ? decideAndRemember(id, ending, options?.settlementId)
        : end(id, ending, options?.settlementId);
    },
    decline: (id, reason, options) =>
      end(id, { type: "decline", reason, by: options?.by }, options?.settlementId),
    reply: (id, text, options) => end(id, { type: "reply", text, by: options?.by }, options?.settlementId),

    async report(id, report, options) {
      const { person, surface } = report;
      const by = { kind: "person" as const, id: person, surface, via: options.via };
      if ("answer" in report)
        return end(id, { type: "answer", submission: report.answer, by }, options.settlementId);
      if ("decide" in report) {
        if (asksForRule(report.decide)) {
          throw new AsklineError("forbidden", "an agent cannot report a decision that is to be remembered");
        }
        return end(id, { type: "decide", submission: report.decide, by }, options.settlementId);
      }
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
    rules: {
      async list(person) {
        requireOpen();
        return rules.list(person);
      },
      async revoke(id, person) {
        requireOpen();
        return rules.revoke(id, person);
      },
    },
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
