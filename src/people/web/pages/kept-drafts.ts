// A client of a page whose drafts outlast the page. What the server does not have yet is kept in this browser, so that a
// page that is left or loaded again, also without a connection, loses no text; and a page that is left sends it.
//
//   typed --kept here, sent--> the server has it: forgotten here
//   the page is loaded again --what is kept and what the server has are merged, part by part--> sent

import { type Client, type ConnectOptions, connect } from "../../../client/connect.js";
import { isRecord, jsonOf } from "../../../core/kit/json.js";
import type { Draft } from "../../../core/model/draft.js";
import { isPassing } from "../../inbox/live-asks.js";

const KEY = "askline.drafts ";
const MOST_KEPT = 20;
export const LEAVING: readonly string[] = ["beforeunload", "pagehide"];

export function connectPage(
  base: string,
  options: ConnectOptions & { readonly fetch: typeof fetch },
): Client {
  const client = connect(options);
  let parting: Client | undefined;
  const send: typeof fetch = (input, init) => options.fetch(input, { ...init, keepalive: true });
  const part = (): void => {
    // A client of its own: the draft does not wait for one that is on its way.
    parting = connect({ ...options, fetch: send });
    setTimeout(() => {
      parting = undefined;
    });
  };
  // In the capture phase: before the cards are removed, which save then.
  for (const type of LEAVING) window.addEventListener(type, part, { capture: true });

  const saveDraft: Client["saveDraft"] = async (id, draft, by) => {
    keep(base, id, draft);
    try {
      await (parting ?? client).saveDraft(id, draft, by);
    } catch (error) {
      if (!isPassing(error)) keep(base, id, undefined, draft);
      throw error;
    }
    keep(base, id, undefined, draft);
  };
  // The first card of a page gets its draft with its ask, and not a round trip later.
  let first: { readonly id: string; draft?: ReturnType<Client["draft"]> | undefined } | undefined;
  const get: Client["get"] = (id) => {
    first ??= { id, draft: client.draft(id) };
    first.draft?.catch(() => undefined);
    return client.get(id);
  };
  const draft: Client["draft"] = async (id, by) => {
    const early = first?.id === id ? first.draft : undefined;
    if (first !== undefined) first.draft = undefined;
    const saved = await (early ?? client.draft(id, by));
    const kept = keptDrafts(base)[id];
    if (!isRecord(kept)) return saved;
    const merged = (isRecord(saved) ? mergeDrafts(saved, kept) : kept) as Draft;
    await saveDraft(id, merged, by);
    return merged;
  };
  return { ...client, get, saveDraft, draft };
}

/** For when a person signs out. */
export function forgetDrafts(base: string): void {
  localStorage.removeItem(KEY + base);
}

/** Replaces what is kept of an ask; with `only`, if that is what is kept. */
function keep(base: string, id: string, draft: Draft | undefined, only?: Draft): void {
  const { [id]: known, ...others } = keptDrafts(base);
  if (only !== undefined && JSON.stringify(known) !== JSON.stringify(only)) return;
  const entries = [...Object.entries(others), ...(draft === undefined ? [] : [[id, draft]])];
  try {
    if (entries.length === 0) forgetDrafts(base);
    else localStorage.setItem(KEY + base, JSON.stringify(Object.fromEntries(entries.slice(-MOST_KEPT))));
  } catch {
    // A browser that stores nothing, or has no room: the form still has the text.
  }
}

function keptDrafts(base: string): Readonly<Record<string, unknown>> {
  try {
    const kept = jsonOf(localStorage.getItem(KEY + base) ?? "");
    return isRecord(kept) ? kept : {};
  } catch {
    return {};
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Of two drafts of one ask, each part as it was changed last. */
function mergeDrafts(one: Fields, other: Fields): Fields {
  const byId = (name: "question" | "action", lists: readonly unknown[]): readonly unknown[] => {
    const parts = new Map<unknown, Fields>();
    for (const part of lists.flat()) {
      if (isRecord(part)) parts.set(part[name], laterOf(parts.get(part[name]), part));
    }
    return [...parts.values()];
  };
  const texts = Object.entries(other).flatMap(([name, part]) =>
    isRecord(part) && "text" in part ? [[name, laterOf(one[name], part)]] : [],
  );
  return {
    ...one,
    ...Object.fromEntries(texts),
    answers: byId("question", [one.answers, other.answers]),
    decisions: byId("action", [one.decisions, other.decisions]),
  };
}

function laterOf(one: unknown, other: Fields): Fields {
  return isRecord(one) && Number(one.at) > Number(other.at) ? one : other;
}
