import { EVENT_LOG, type LogAppend } from "../../hub/seam/store.js";
import { check, checkEqual } from "../check.js";
import { ANA, answered, sampleNewAsk, settle } from "../samples.js";
import { type StoreCase, storeCase } from "./harness.js";

/** The event log: one entry for each change of an ask, in the same transaction. */
export const eventCases: readonly StoreCase[] = [
  storeCase("each change writes an event with its answerer and time", async ({ open, clock }) => {
    const store = await open();
    const start = store.now();
    const { ask } = await store.asks.insert(sampleNewAsk(start, { timeoutMs: 1_000 }));
    await clock.advance(10);
    await store.asks.change(ask.id, { kind: "extend", deadline: start + 2_000 });
    await clock.advance(1_990);
    await store.asks.change(ask.id, { kind: "overdue" });
    await clock.advance(10);
    await store.asks.change(ask.id, { ...settle(answered("yes")), when: "anytime" });
    const { ask: other } = await store.asks.insert(sampleNewAsk(store.now()));
    await store.asks.change(other.id, settle({ kind: "expired" }));
    checkEqual(
      await store.logs.read(EVENT_LOG, { after: 0, limit: 10 }),
      [
        { position: 1, at: start, type: "ask.created", subject: ask.id },
        {
          position: 2,
          at: start + 10,
          type: "ask.extended",
          subject: ask.id,
          data: { deadline: start + 2_000 },
        },
        { position: 3, at: start + 2_000, type: "ask.overdue", subject: ask.id },
        { position: 4, at: start + 2_010, type: "ask.answered", subject: ask.id, data: { by: ANA } },
        { position: 5, at: start + 2_010, type: "ask.created", subject: other.id },
        { position: 6, at: start + 2_010, type: "ask.expired", subject: other.id },
      ],
      "the event log",
    );
  }),

  storeCase("a call that changes nothing writes no event and leaves no gap", async ({ open, clock }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { key: "k", timeoutMs: 9_000 }));
    await store.asks.insert(sampleNewAsk(store.now(), { key: "k" }));
    await store.asks.insert(sampleNewAsk(store.now(), { key: "k", context: "other" }));
    await store.asks.change(ask.id, { kind: "extend", deadline: store.now() });
    await store.asks.change(ask.id, { ...settle({ kind: "expired" }), when: "due" });
    await store.asks.change(ask.id, { kind: "overdue" });
    await store.asks.change("nobody", settle(answered("x")));
    await store.asks.change(ask.id, settle(answered("x")));
    await store.asks.change(ask.id, settle(answered("y")));
    await clock.advance(9_000);
    await store.asks.change(ask.id, { kind: "overdue" });
    const events = await store.logs.read(EVENT_LOG, { after: 0, limit: 10 });
    checkEqual(
      events.map(({ position, type }) => `${position} ${type}`),
      ["1 ask.created", "2 ask.answered"],
      "the events",
    );
    checkEqual(await store.logs.bounds(EVENT_LOG), { first: 1, head: 2 }, "the bounds");
  }),

  storeCase(
    "additional entries are written after the event, and only if the change is made",
    async ({ open, clock }) => {
      const store = await open();
      const along = (text: string): readonly LogAppend[] => [
        { log: "session/1", type: "note", subject: "s", data: { text } },
        { log: EVENT_LOG, type: "extra", subject: text },
      ];
      const keyed = () => sampleNewAsk(store.now(), { key: "k", timeoutMs: 1_000 });
      const first = keyed();
      await store.asks.insert(first, along("created"));
      await store.asks.insert(first, along("created again"));
      await store.asks.insert(keyed(), along("known"));
      await store.asks.change(first.ask.id, { kind: "extend", deadline: store.now() }, along("not extended"));
      await store.asks.change(
        first.ask.id,
        { kind: "extend", deadline: store.now() + 5_000 },
        along("extended"),
      );
      await store.asks.change(first.ask.id, { kind: "overdue" }, along("not overdue"));
      await clock.advance(5_000);
      await store.asks.change(first.ask.id, { kind: "overdue" }, along("overdue"));
      await store.asks.change(first.ask.id, { ...settle(answered("x")), when: "anytime" }, along("settled"));
      await store.asks.change(first.ask.id, settle(answered("y")), along("lost"));
      await store.asks.change("nobody", settle(answered("y")), along("nobody"));
      const written = ["created", "extended", "overdue", "settled"];
      const notes = await store.logs.read("session/1", { after: 0, limit: 20 });
      checkEqual(
        notes.map(({ position, data }) => ({ position, data })),
        written.map((text, index) => ({ position: index + 1, data: { text } })),
        "the additional log",
      );
      const events = await store.logs.read(EVENT_LOG, { after: 0, limit: 20 });
      checkEqual(
        events.map(({ position, type, subject }) => `${position} ${type} ${type === "extra" ? subject : ""}`),
        [
          "1 ask.created ",
          "2 extra created",
          "3 ask.extended ",
          "4 extra extended",
          "5 ask.overdue ",
          "6 extra overdue",
          "7 ask.answered ",
          "8 extra settled",
        ],
        "the event log",
      );
    },
  ),

  storeCase("events of concurrent changes have positions without gaps or repeats", async ({ open }) => {
    const store = await open();
    const cycle = async (index: number): Promise<void> => {
      const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { key: `k${index % 20}` }));
      await Promise.all([
        store.asks.change(ask.id, settle(answered(`one ${index}`))),
        store.asks.change(ask.id, settle(answered(`two ${index}`))),
      ]);
    };
    await Promise.all(Array.from({ length: 40 }, (_, index) => cycle(index)));
    const events = await store.logs.read(EVENT_LOG, { after: 0, limit: 1_000 });
    checkEqual(
      events.map(({ position }) => position),
      Array.from({ length: 40 }, (_, index) => index + 1),
      "the positions of 20 asks that were created and answered",
    );
    const seen = new Map<string, string[]>();
    for (const { subject = "", type } of events) seen.set(subject, [...(seen.get(subject) ?? []), type]);
    checkEqual(seen.size, 20, "how many asks the events are about");
    for (const types of seen.values()) {
      checkEqual(types, ["ask.created", "ask.answered"], "the events of one ask, in order");
    }
  }),

  storeCase("a reader that sees a change also sees its event", async ({ open }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
    const writing = store.asks.change(ask.id, settle(answered("x")));
    let settled = false;
    for (let look = 0; look < 10_000 && !settled; look += 1) {
      settled = (await store.asks.get(ask.id))?.status === "answered";
    }
    const events = await store.logs.read(EVENT_LOG, { after: 1, limit: 10 });
    await writing;
    check(!settled || events.length === 1, "the ask was already answered, but its event was missing");
  }),
];
