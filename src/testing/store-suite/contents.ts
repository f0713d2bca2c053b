import type { Json } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import type { Outcome } from "../../core/model/outcome.js";
import { check, checkEqual, copyOf, vandalise } from "../check.js";
import { ANA, answered, sampleNewAsk, settle } from "../samples.js";
import { type StoreCase, storeCase } from "./harness.js";

// Each of these has broken a database, driver or encoder: NUL, lone surrogates, a byte order mark, U+FFFF, characters
// beyond 16 bits, right-to-left text, direction overrides, JavaScript-only line separators, SQL and JSON escapes.
const TEXTS = [
  "NUL \u0000 inside",
  "lone high \ud83d, lone low \ude00, wrong way round \ude00\ud83d",
  "\ufeffbyte order mark, \ufffe \uffff \ufffd",
  "👩‍👩‍👧‍👦 🇻🇳 \u{10ffff}",
  "שלום, العربية, \u202eoverride\u202c",
  "Tiếng Việt, e\u0301 is not é, ﬁ is not fi",
  "line\nbreak\r\n\u2028\u2029\u0085\t",
  "'; drop table asks; -- \" \\ \\u0000 %s $1 ? :name {} []",
];

// The parser guarantees that ids, sessions and keys are well-formed and without control characters.
const NAMES = [
  "👩‍👧",
  "שלום",
  "é",
  "e\u0301",
  "ﬁ",
  "fi",
  "FI",
  "ß",
  "ss",
  "\ue000",
  "\u{10ffff}",
  "a'b\"c\\d%_$1?",
];

/** The contents of asks, logs and records: any text, up to the limits, isolated from the caller's objects. */
export const contentCases: readonly StoreCase[] = [
  storeCase("texts of any kind are returned unchanged", async ({ open }) => {
    const store = await open();
    const value: Json = { texts: TEXTS, ...Object.fromEntries(TEXTS.map((text) => [text, text])) };
    const wanted = sampleNewAsk(store.now(), {
      questions: TEXTS.map((text) => ({ question: text, header: text, options: [text, "other"] })),
      context: TEXTS.join("\n"),
      metadata: { value },
    });
    await store.asks.insert(wanted);
    checkEqual(await store.asks.get(wanted.ask.id), wanted.ask, "the ask");
    const outcome: Outcome = {
      kind: "answered",
      answers: TEXTS.map((text, index) => ({ question: `q${index + 1}`, selected: [], text, note: text })),
      note: TEXTS.join(),
      by: ANA,
    };
    await store.asks.change(wanted.ask.id, settle(outcome));
    checkEqual((await store.asks.get(wanted.ask.id))?.outcome, outcome, "the outcome");
    await store.logs.append([{ log: "l", type: "t", data: value }]);
    checkEqual((await store.logs.read("l", { after: 0, limit: 1 }))[0]?.data, value, "a log entry");
    await store.records.put("n", "k", value);
    checkEqual((await store.records.get("n", "k"))?.value, value, "a record");
  }),

  storeCase("names are compared exactly", async ({ open }) => {
    const store = await open();
    for (const name of NAMES) {
      const wanted = sampleNewAsk(store.now(), {
        id: `ask_${name}`,
        session: name,
        key: name,
        agentId: name,
        asker: name,
        recipients: [name],
      });
      checkEqual(
        await store.asks.insert(wanted),
        { kind: "created", ask: wanted.ask },
        `an ask called ${name}`,
      );
      await store.logs.append([{ log: name, type: name, subject: name }]);
      checkEqual(
        await store.records.put(name, name, name),
        { ok: true, version: 1 },
        `a record called ${name}`,
      );
    }
    for (const name of NAMES) {
      const own = [`ask_${name}`];
      const list = async (filter: object) =>
        (await store.asks.list({ limit: 100, ...filter })).asks.map(({ id }) => id);
      checkEqual((await store.asks.get(`ask_${name}`))?.session, name, `the ask called ${name}`);
      checkEqual(await list({ session: name }), own, `the session called ${name}`);
      checkEqual(await list({ agentId: name }), own, `the agent called ${name}`);
      checkEqual(await list({ asker: name }), own, `the asker called ${name}`);
      checkEqual(await list({ person: name }), own, `the person called ${name}`);
      checkEqual((await store.logs.bounds(name)).head, 1, `the log called ${name}`);
      const entries = await store.logs.read(name, { after: 0, limit: 10, subject: name });
      checkEqual(entries[0]?.type, name, `the entry about ${name}`);
      checkEqual(
        await store.records.list(name, { prefix: name, limit: 10 }),
        [{ key: name, value: name, version: 1 }],
        `the record called ${name}`,
      );
    }
  }),

  storeCase("an ask at the limits is stored completely", async ({ open }) => {
    const store = await open();
    const ids = Array.from({ length: LIMITS.recipients }, (_, index) =>
      `${index} `.padEnd(LIMITS.idLength, "한"),
    );
    const wanted = sampleNewAsk(store.now(), {
      id: "ask_".padEnd(LIMITS.idLength, "x"),
      session: noise(LIMITS.sessionLength),
      key: noise(LIMITS.keyLength),
      agentId: noise(LIMITS.idLength),
      agentPath: ids.slice(0, LIMITS.agentPathItems),
      recipients: ids,
      context: "c".repeat(LIMITS.contextLength),
      metadata: { text: "m".repeat(LIMITS.metadataLength - 20) },
      deadline: 8_640_000_000_000_000,
      questions: Array.from({ length: 12 }, (_, index) => ({
        question: `${index}`.padEnd(LIMITS.questionLength, "한"),
        options: [{ label: "preview", preview: "p".repeat(LIMITS.previewLength) }, "other"],
      })),
    });
    checkEqual(await store.asks.insert(wanted), { kind: "created", ask: wanted.ask }, "the insert");
    checkEqual(await store.asks.get(wanted.ask.id), wanted.ask, "the ask");
    const again = { ...wanted, ask: { ...wanted.ask, id: "ask_again" } };
    checkEqual((await store.asks.insert(again)).kind, "known", "its key");
    const { session } = wanted.ask;
    checkEqual((await store.asks.list({ session, limit: 2 })).asks, [wanted.ask], "its session");
    checkEqual((await store.asks.list({ person: ids[99] ?? "", limit: 2 })).asks.length, 1, "its person");
    checkEqual(await store.asks.nextDeadline(), 8_640_000_000_000_000, "its deadline");
    const outcome: Outcome = {
      kind: "answered",
      answers: wanted.ask.questions.map(({ id }) => ({
        question: id,
        selected: [],
        text: "한".repeat(LIMITS.textLength),
        note: "n".repeat(LIMITS.noteLength),
      })),
      by: ANA,
    };
    await store.asks.change(wanted.ask.id, settle(outcome));
    checkEqual((await store.asks.get(wanted.ask.id))?.outcome, outcome, "the outcome");
  }),

  storeCase("large records and log entries are stored completely", async ({ open }) => {
    const { logs, records } = await open();
    const value: Json = {
      text: "한".repeat(LIMITS.askLength / 4),
      list: Array.from({ length: 10_000 }, () => 1),
    };
    const key = noise(LIMITS.keyLength);
    await records.put("n", key, value, { append: [{ log: "l", type: "t", subject: key, data: value }] });
    checkEqual((await records.get("n", key))?.value, value, "the record");
    checkEqual((await records.list("n", { prefix: key, limit: 1 })).length, 1, "by its key");
    const entries = await logs.read("l", { after: 0, limit: 1, subject: key });
    checkEqual(entries[0]?.data, value, "the log entry");
    const deep = nested(LIMITS.jsonDepth);
    await records.put("n", "deep", deep);
    checkEqual((await records.get("n", "deep"))?.value, deep, "a deep value");
  }),

  storeCase("changing an input afterwards does not change stored data", async ({ open }) => {
    const store = await open();
    const { ask } = sampleNewAsk(store.now(), { metadata: { list: [1] }, recipients: ["ana"] });
    const original = copyOf(ask);
    const handed = copyOf(ask);
    const outcome = copyOf(answered("x"));
    const data = { list: [{ a: 1 }] };
    await store.asks.insert({ ask: handed });
    vandalise(handed);
    checkEqual(await store.asks.get(original.id), original, "the ask");
    await store.asks.change(original.id, settle(outcome), [{ log: "l", type: "t", data }]);
    await store.records.put("n", "k", data);
    vandalise(outcome);
    vandalise(data);
    checkEqual((await store.asks.get(original.id))?.outcome, answered("x"), "the outcome");
    checkEqual((await store.records.get("n", "k"))?.value, { list: [{ a: 1 }] }, "the record");
    const [entry] = await store.logs.read("l", { after: 0, limit: 1 });
    checkEqual(entry?.data, { list: [{ a: 1 }] }, "the log entry");
  }),

  storeCase("changing a result does not change stored data", async ({ open }) => {
    const store = await open();
    const wanted = sampleNewAsk(store.now(), { metadata: { list: [1] } });
    const { ask } = await store.asks.insert({ ask: copyOf(wanted.ask) });
    vandalise(ask);
    vandalise(await store.asks.get(wanted.ask.id));
    vandalise((await store.asks.list({ limit: 1 })).asks);
    checkEqual(await store.asks.get(wanted.ask.id), wanted.ask, "the ask");
    checkEqual((await store.asks.list({ limit: 1 })).asks, [wanted.ask], "the list");
    await store.records.put("n", "k", { a: [1] }, { append: [{ log: "l", type: "t", data: { a: [1] } }] });
    vandalise(await store.records.get("n", "k"));
    vandalise(await store.records.list("n", { limit: 1 }));
    vandalise(await store.logs.read("l", { after: 0, limit: 1 }));
    checkEqual(await store.records.get("n", "k"), { key: "k", value: { a: [1] }, version: 1 }, "the record");
    const [entry] = await store.logs.read("l", { after: 0, limit: 1 });
    check(entry !== undefined, "the log entry is there");
    checkEqual({ type: entry.type, data: entry.data }, { type: "t", data: { a: [1] } }, "the log entry");
  }),
];

/** Text with three bytes per character that compresses badly: the worst key for an index. */
function noise(length: number): string {
  let seed = length;
  return Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return String.fromCharCode(0xac00 + ((seed >> 8) % 11_172));
  }).join("");
}

function nested(depth: number): Json {
  let value: Json = "deep";
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}
