import type { Hub } from "../../../src/hub/index.ts";
import type { Ask } from "../../../src/index.ts";

/** Watches until the hub closes. Each call resolves to the next ask that reaches a person; no ask comes twice. */
export function watchAsks(hub: Pick<Hub, "watch">): () => Promise<Ask> {
  const asks = hub.watch({ status: "pending" })[Symbol.asyncIterator]();
  const known = new Set<string>();
  return async () => {
    for (;;) {
      const { value, done } = await asks.next();
      if (done) throw new Error("the watch has ended");
      if (value.status !== "pending" || known.has(value.id)) continue;
      known.add(value.id);
      return value;
    }
  };
}
