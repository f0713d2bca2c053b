import type { Database } from "./driver.js";
import { createGroupCommit } from "./group-commit.js";
import { perform } from "./perform.js";
import { createWatcher } from "./watcher.js";
import { acknowledge, type PendingWrite, pendingWrite, type Writer, type WriterOptions } from "./writer.js";

/** Makes the writes in this thread, on the connection that is read from as well. The caller closes that. */
export function localWriter(
  database: Database,
  { now, busyTimeoutMs, onCommit, committed, failed }: Omit<WriterOptions, "path" | "broken">,
): Writer {
  const commits = createGroupCommit<PendingWrite>(database, {
    now,
    busyTimeoutMs,
    committed,
    perform: (transaction, { name, request }) => perform(transaction, name, request as never),
    deliver: (writes, results) => acknowledge(writes, results, { onCommit, failed }),
  });
  const watcher = createWatcher(database);
  return {
    write: (name, request, toEvent) => pendingWrite(name, request, toEvent, (write) => commits.write(write)),
    watch: (listener) => watcher.watch(listener),
    drained: () => commits.drained(),
    async close() {
      watcher.stop();
    },
  };
}
