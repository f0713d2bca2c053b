// A store whose work on asks is seen in the trace at hand. It also remembers in which trace an ask was asked, in a
// record beside it: who answers, perhaps days later and after a restart, is linked with that trace, and that the
// agent goes on is told in it. The ask itself knows nothing of this, so neither do those who see it.

import type { Ask } from "../core/index.js";
import { type AskStore, type Store, TRACE_NAMESPACE } from "../hub/seam/store.js";
import { withParts } from "../hub/seam/store-kit.js";
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

  /** Asked again, after a restart say: the new trace leads to the old one. */
  const linkKnown = async (id: string): Promise<void> => {
    if (spans.current() !== undefined) spans.link(await traceOf(id));
  };

  /** The trace of who ended it leads to that of who asked, and the other way round. */
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
        // A trace that cannot be kept is no reason to refuse an ask.
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
