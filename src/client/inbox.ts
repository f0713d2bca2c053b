// The person's side: list, answer, decide, decline, reply. The answerer is always the person of the token.

import type { Clock } from "../core/kit/clock.js";
import type { DeliveredAsk } from "../core/model/ask.js";
import type { AuditEntry } from "../core/model/audit.js";
import type { Device } from "../core/model/device.js";
import type { Draft } from "../core/model/draft.js";
import type { DraftHint } from "../core/model/draft-hint.js";
import { type Ending, type EndingMethods, endingMethods } from "../core/model/ending.js";
import { AsklineError } from "../core/model/error.js";
import type { AskEvent } from "../core/model/event.js";
import type { NotificationPreferences, PreferenceChanges } from "../core/model/notifications.js";
import type { Answerer } from "../core/model/outcome.js";
import type { AskFilter, AskOptions, AskPage, Inbox, Page } from "../core/model/ports.js";
import type { RememberedRule } from "../core/model/rule.js";
import { matchesFilter } from "../core/model/visibility.js";
import { createDraftHints } from "./draft-hints.js";
import { createDraftLanes } from "./draft-lanes.js";
import { endAsk } from "./end-ask.js";
import { type EventQuery, splitFilter, streamEvents } from "./event-stream.js";
import { malformed } from "./failed-try.js";
import { askPath, type Call, type Http, notFound, type PatientCall, type Reply } from "./http.js";
import { headerValue } from "./responses.js";
import { bodyWith, listIn, readAskBody, readAskPage, readDraft, readPosition } from "./wire.js";

/** The answerer. Over the wire only its surface is sent: the person is that of the token. */
export interface ByOptions {
  readonly by?: Answerer | undefined;
}

export interface EndOptions extends ByOptions {
  /** Identifies the attempt; random by default. */
  readonly settlementId?: string | undefined;
}

export interface WatchOptions extends AskOptions {
  /** Called when the stream of changes has begun, and again after an outage. Drafts saved before gave no hint. */
  readonly onConnected?: (() => void) | undefined;
}

export interface LinkOptions {
  readonly person: string;
  /** How long the link is valid: milliseconds, or a time such as `1h`; a day by default. */
  readonly expiresIn?: number | string | undefined;
  /** The one origin whose pages may show the link's page in a frame, such as `https://app.example.com`. */
  readonly frame?: string | undefined;
}

/** A signed link for one person to one ask. Anyone who has it can answer as that person. */
export interface Link {
  readonly url: string;
  readonly expiresAt: number;
}

export interface ClientInbox
  extends Inbox<DeliveredAsk>,
    EndingMethods<DeliveredAsk, [options?: EndOptions]> {
  settle(id: string, ending: Ending, options?: EndOptions): Promise<DeliveredAsk>;
  saveDraft(id: string, draft: Draft, options?: ByOptions): Promise<void>;
  draft(id: string, options?: ByOptions): Promise<Draft | undefined>;
  /** Records that a person has opened the ask. The first time on each surface is an event. */
  opened(id: string, options?: ByOptions): Promise<void>;
  link(id: string, options: LinkOptions): Promise<Link>;
  /** What has happened to an ask, oldest first. */
  audit(id: string): Promise<readonly AuditEntry[]>;
  /** The browsers in which the person is signed in, newest first. */
  devices(): Promise<readonly Device[]>;
  /** Signs the person out of one browser. */
  endDevice(id: string): Promise<void>;
  /** The person's remembered rules, oldest first; everybody's for an admin. */
  rules(): Promise<readonly RememberedRule[]>;
  /** The next action like it is asked about again. */
  revokeRule(id: string): Promise<void>;
  /** The person's quiet hours, privacy and muted agents. */
  notifications(): Promise<NotificationPreferences>;
  /** Fields that are missing stay as they are; null ends the quiet hours. */
  changeNotifications(changes: PreferenceChanges): Promise<NotificationPreferences>;
  /**
   * Calls `listener` when the person has saved a draft, at any surface: fetch it with `draft`. Hints come with the
   * events, on the stream of `watch` or `events` if there is one. A hint may come twice, and one is missed while there is
   * no connection: `missed` is called when there is one again, and the first time, so fetch the drafts that you show.
   * The returned function stops it.
   */
  onDraft(listener: (hint: DraftHint) => void, missed?: () => void): () => void;
  watch(filter?: AskFilter, options?: WatchOptions): AsyncIterable<DeliveredAsk>;
  /** Events from a position, then live: none missed, none twice. Throws `position_trimmed` for a gap. */
  events(query?: EventQuery): AsyncIterable<AskEvent<DeliveredAsk>>;
}

const SNAPSHOT_PAGE = 200;

export function createInbox(http: Http, clock: Clock): ClientInbox {
  const get = async (id: string, more?: Partial<PatientCall>): Promise<DeliveredAsk> =>
    http.request({ method: "GET", path: askPath(id), ...more }, ({ body }) => readAskBody(body, id));
  const drafts = createDraftLanes();

  const settle = async (
    id: string,
    ending: Ending,
    { by, settlementId }: EndOptions = {},
  ): Promise<DeliveredAsk> => {
    const { type, ...content } = ending;
    // A part of the path, which a caller without types must not choose.
    if (!Object.hasOwn(methods, type)) throw notFound(id);
    return endAsk(http, id, type, content, settlementId, { headers: surfaceHeader(by) });
  };

  const methods = endingMethods(settle);

  /** A page, and the reply with the position from which events continue after it. */
  const readPage = (
    filter: AskFilter,
    page: Page,
    signal?: AbortSignal,
  ): Promise<[AskPage<DeliveredAsk>, Reply]> => {
    const { query, rest } = splitFilter(filter);
    return http.request(
      { method: "GET", path: "/v1/asks", query: { ...query, id: filter.id, ...page }, signal },
      (reply) => {
        const read = readAskPage(reply.body);
        // A page may be short of its limit and still have a next one.
        return [{ ...read, asks: read.asks.filter((ask) => matchesFilter(ask, rest)) }, reply];
      },
    );
  };

  const readEvents = async function* (
    { after, filter = {}, signal }: EventQuery,
    onConnected?: () => void,
  ): AsyncGenerator<AskEvent<DeliveredAsk>> {
    let position = after;
    if (position === undefined) {
      // Needed before the first stream: a stream that breaks before its first event can then resume.
      const page = await unlessAborted(signal, readPage({}, { limit: 1 }, signal));
      if (page === undefined) return;
      position = positionOf(page[1]);
    }
    yield* streamEvents(
      http,
      clock,
      { after: position, filter, signal },
      { onDraft: hints.received, onConnected },
      // Outlasts an outage, as the stream does.
      (id) => unlessAborted(signal, get(id, { signal, patienceMs: Number.POSITIVE_INFINITY })),
    );
  };
  const hints = createDraftHints(async (signal, connected) => {
    for await (const _ of readEvents({ signal }, connected));
  });

  async function* events(
    query: EventQuery = {},
    onConnected?: () => void,
  ): AsyncGenerator<AskEvent<DeliveredAsk>> {
    // A stream of one session has only the hints of that session.
    const stream = query.filter?.session === undefined ? hints.begin() : undefined;
    try {
      yield* readEvents(query, () => {
        stream?.connected();
        onConnected?.();
      });
    } finally {
      stream?.ended();
    }
  }

  async function* watch(
    filter: AskFilter = {},
    { signal, onConnected }: WatchOptions = {},
  ): AsyncGenerator<DeliveredAsk> {
    let position: number | undefined;
    for (let after: string | undefined; ; ) {
      const query = { limit: SNAPSHOT_PAGE, after };
      const read = await unlessAborted(signal, readPage({ ...filter, status: "pending" }, query, signal));
      if (read === undefined) return;
      const [page, reply] = read;
      // The position of the first page: changes while the other pages are read come again as events.
      position ??= positionOf(reply);
      for (const ask of page.asks) {
        if (signal?.aborted) return;
        yield ask;
      }
      if (page.next === undefined) break;
      after = page.next;
    }
    // Without the status: the watcher must also see asks end.
    const { status: _status, ...lasting } = filter;
    const query = { after: position, filter: lasting, signal };
    for await (const { ask } of events(query, onConnected)) {
      if (ask !== undefined) yield ask;
    }
  }

  return {
    list: async (filter = {}, page = {}) => (await readPage(filter, page))[0],
    get: (id) => get(id),
    settle,
    ...methods,
    saveDraft: async (id, draft, { by } = {}) => {
      const call: Call = { method: "PUT", path: askPath(id, "draft"), headers: surfaceHeader(by) };
      return drafts.save(id, draft, (newest) =>
        http.request({ ...call, body: JSON.stringify({ draft: newest }) }, () => undefined),
      );
    },
    draft: async (id, { by } = {}) =>
      http.request({ method: "GET", path: askPath(id, "draft"), headers: surfaceHeader(by) }, ({ body }) =>
        readDraft(body),
      ),
    opened: async (id, { by } = {}) =>
      http.request(
        { method: "POST", path: askPath(id, "opened"), headers: surfaceHeader(by), body: "{}" },
        () => undefined,
      ),
    link: async (id, { person, expiresIn, frame }) =>
      http.request(
        { method: "POST", path: askPath(id, "links"), body: JSON.stringify({ person, expiresIn, frame }) },
        bodyWith<Link>({ url: "string", expiresAt: "number" }),
      ),
    audit: async (id) =>
      http.request(
        { method: "GET", path: askPath(id, "audit") },
        listIn<AuditEntry>("audit", { at: "number", type: "string" }),
      ),
    devices: async () =>
      http.request(
        { method: "GET", path: "/v1/devices" },
        listIn<Device>("devices", { id: "string", signedInAt: "number", expiresAt: "number" }),
      ),
    endDevice: async (id) =>
      http.request({ method: "DELETE", path: `/v1/devices/${encodeURIComponent(id)}` }, () => undefined),
    rules: async () =>
      http.request(
        { method: "GET", path: "/v1/rules" },
        listIn<RememberedRule>("rules", {
          id: "string",
          effect: "string",
          person: "string",
          agent: "string",
          tool: "string",
          args: "object",
          ask: "string",
          createdAt: "number",
        }),
      ),
    revokeRule: async (id) =>
      http.request({ method: "DELETE", path: `/v1/rules/${encodeURIComponent(id)}` }, () => undefined),
    notifications: async () => http.request({ method: "GET", ...PREFERENCES }, readPreferences),
    changeNotifications: async (changes) =>
      http.request({ method: "PUT", ...PREFERENCES, body: JSON.stringify(changes) }, readPreferences),
    onDraft: hints.listen,
    watch,
    events: (query) => events(query),
  };
}

const PREFERENCES = { path: "/v1/notifications" };
const readPreferences = bodyWith<NotificationPreferences>({ privacy: "string", language: "string" });

function surfaceHeader(by: Answerer | undefined): Readonly<Record<string, string>> {
  if (by === undefined) return {};
  // Sent with the person's token, a policy's answer would be recorded as the person's.
  if (by.kind === "policy")
    throw new AsklineError("forbidden", "a client can only answer as a person, not as a policy");
  return { "askline-surface": headerValue("a surface", by.surface) };
}

function positionOf({ headers }: Reply): number {
  const position = readPosition(headers.get("askline-position"));
  if (position === undefined) throw malformed("the list of asks has no position").error;
  return position;
}

/** Undefined if the signal aborted it. */
async function unlessAborted<T>(
  signal: AbortSignal | undefined,
  promise: Promise<T>,
): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
}
