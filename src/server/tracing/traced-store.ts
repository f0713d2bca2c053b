// Wraps a store and adds its work on asks to the active trace. The trace of each ask is kept in a record beside it, so
// that an answer, perhaps days later and after a restart, can be linked to it. The ask itself does not contain it, so
// people and agents do not see it.

import type { Ask } from "../../core/model/ask.js";
import { type AskStore, type Store, TRACE_NAMESPACE } from "../../hub/seam/store.js";
import { withParts } from "../../hub/seam/store-kit.js";
import type { Spans } from "./spans.js";

const NAMES = ["get", "getMany", "list"] as const;

export function tracedStore(store: Store, spans: Spans): Store {
  const { asks, records } = store;
  const keyOf = (id: string): string => `${id}/traceparent`;

  const remember = async (id: string): Promise<void> => {
    const traceparent = spans.current();
    if (traceparent !== undefined) await records.put(TRACE_NAMESPACE, keyOf(id), traceparent);
  };
  const traceOf = async (id: string): Promise<string | undefined> => {
    const record = await records.get(TRACE_NAMESPACE, keyOf(id));
    return typeof record?.value === "string" ? record.value : undefined;
  };

  /** An ask that is repeated, for example after a restart: links the new trace to the old one. */
  const linkKnown = async (id: string): Promise<void> => {
    if (spans.current() !== undefined) spans.link(await traceOf(id));
  };

  /** Links the trace of the answerer and the trace of the asker to each other. */
  const linkEnd = async ({ id, outcome }: Ask): Promise<void> => {
    const asked = await traceOf(id);
    if (asked === undefined) return;
    const ending = spans.current();
    spans.link(asked);
    const facts = { "askline.ask.id": id, ...(outcome && { "askline.outcome": outcome.kind }) };
    spans.point("askline.resume", { parent: asked, facts }, ending);
  };

  const step = <T>(name: string, task: () => Promise<T>): Promise<T> =>
    spans.current() === undefined ? task() : spans.span(`askline.store.${name}`, {}, task);

  const reads = Object.fromEntries(
    NAMES.map((name) => {
      const method = asks[name].bind(asks) as (...args: unknown[]) => Promise<unknown>;
      return [name, (...args: unknown[]) => step(name, () => method(...args))];
    }),
  ) as unknown as Pick<AskStore, (typeof NAMES)[number]>;

  return withParts(store, {
    asks: {
      ...asks,
      ...reads,
      async insert(...args) {
        const inserted = await step("insert", () => asks.insert(...args));
        // A trace that cannot be stored must not fail the ask.
        if (inserted.kind === "created") await remember(inserted.ask.id).catch(() => undefined);
        else await linkKnown(inserted.ask.id).catch(() => undefined);
        return inserted;
      },
      async change(...args) {
        const [, { kind }] = args;
        const changed = await step(kind, () => asks.change(...args));
        if (kind === "settle" && changed?.applied) await linkEnd(changed.ask).catch(() => undefined);
        return changed;
      },
    },
  });
}
