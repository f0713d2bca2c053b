import type { Mistake } from "../broken-store.ts";

/** Mistakes in closing, reopening and sharing. */
export const sharingMistakes: readonly Mistake[] = [
  {
    name: "a closed store goes on",
    in: "shared-memory-harness",
    replace: 'if (closed) throw new AsklineError("closed", "this view was closed");',
    by: "",
    caughtBy: ["a closed store rejects everything with closed"],
  },
  {
    name: "a closed store fails without a code",
    in: "shared-memory-harness",
    replace: 'throw new AsklineError("closed", "this view was closed")',
    by: 'throw new Error("closed")',
    caughtBy: ["a closed store rejects everything with closed"],
  },
  {
    name: "closing again is an error",
    in: "shared-memory-harness",
    replace: "      closed = true;",
    by: "      if (closed) throw new Error('closed already'); closed = true;",
    caughtBy: ["closing again does nothing"],
  },
  {
    name: "closing drops what was begun",
    in: "shared-memory-harness",
    replace: "const result: unknown = await caller.run(view, () => Reflect.apply(method, target, given));",
    by: "for (let turn = 0; turn < 3; turn += 1) await null; if (closed) throw new AsklineError('closed', 'dropped'); const result: unknown = await caller.run(view, () => Reflect.apply(method, target, given));",
    caughtBy: [
      "calls that started before the close are finished",
      "writes that started before the close are stored",
    ],
  },
  {
    name: "a restart finds nothing",
    in: "shared-memory-harness",
    replace: "      return openIn(worldOf(store));",
    by: "      return openIn(newWorld(create()));",
    caughtBy: ["the lease of a claim survives a restart"],
  },
  {
    name: "the second store has data of its own",
    in: "shared-memory-harness",
    replace: "second: async (store) => openIn(worldOf(store)),",
    by: "second: async () => openIn(newWorld(create())),",
    caughtBy: ["a key creates one ask among racing processes", "a process reads the writes of another"],
  },
  {
    name: "another's commit is never noticed",
    in: "shared-memory-harness",
    replace: "clock.schedule(20, listener)",
    by: "void listener",
    caughtBy: ["a commit of another process is noticed until the watch stops"],
  },
  {
    name: "a listener cannot be stopped",
    in: "shared-memory-harness",
    replace: "return () => void listeners.delete(listener);",
    by: "return () => undefined;",
    caughtBy: ["a commit of another process is noticed until the watch stops"],
  },
  {
    name: "closing closes for all",
    in: "shared-memory-harness",
    replace: "      closed = true;",
    by: "      closed = true; await inner.close();",
    caughtBy: ["closing one store does not affect another"],
  },
];
