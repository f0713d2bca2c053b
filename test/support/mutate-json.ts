// Takes valid documents and breaks them, the same way for the same seed: what a confused model, a hostile
// client or a cut connection would send. No sleeps, no clock, no Math.random.

import { pick, type Random, randomOf } from "./random.js";

/** A broken variant of one of the documents; sometimes it is JSON text instead of a value. */
export function mutateJson(documents: readonly unknown[], seed: number): unknown {
  const random = randomOf(seed);
  let value = copy(pick(documents, random));
  const changes = 1 + Math.floor(random() * 4);
  for (let change = 0; change < changes; change += 1) value = mutateSomewhere(value, random);
  const form = random();
  if (form < 0.1) return JSON.stringify(value);
  if (form < 0.15) {
    const text = JSON.stringify(value) ?? "";
    return text.slice(0, Math.floor(random() * text.length));
  }
  return value;
}

function copy(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Walks down a random path and changes what is there. */
function mutateSomewhere(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random() < 0.15) return mutate(value, random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random() < 0.2) return mutateList(value, random);
    const index = Math.floor(random() * value.length);
    return value.map((item, at) => (at === index ? mutateSomewhere(item, random) : item));
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || random() < 0.2) return mutateObject(entries, random);
  const index = Math.floor(random() * entries.length);
  return Object.fromEntries(
    entries.map(([key, item], at) => [key, at === index ? mutateSomewhere(item, random) : item]),
  );
}

function mutateList(items: readonly unknown[], random: Random): unknown {
  const [first = nastyValue(random)] = items;
  return pick<() => unknown>(
    [
      () => [],
      () => items.slice(1),
      () => [...items, ...items],
      () => [...items, nastyValue(random)],
      () => Array.from({ length: random() < 0.02 ? 20_000 : 60 }, () => first),
      () => JSON.stringify(items),
      () => Object.fromEntries(items.entries()),
      () => items.toReversed(),
    ],
    random,
  )();
}

function mutateObject(entries: readonly [string, unknown][], random: Random): unknown {
  return pick<() => unknown>(
    [
      () => ({}),
      () => Object.fromEntries(entries.slice(1)),
      () => Object.fromEntries([...entries, [pick(NASTY_KEYS, random), nastyValue(random)]]),
      () =>
        Object.fromEntries(
          entries.map(([key, item], at) => [at === 0 ? pick(NASTY_KEYS, random) : key, item]),
        ),
      () => entries,
      () => entries.map(([, item]) => item),
      () => JSON.stringify(Object.fromEntries(entries)),
      () => Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`key ${at}`, at])),
    ],
    random,
  )();
}

function mutate(value: unknown, random: Random): unknown {
  if (typeof value !== "string" || random() < 0.5) return nastyValue(random);
  return pick<() => string>(
    [
      () => "",
      () => " \t\n",
      () => `${value}${pick(NASTY_TEXTS, random)}`,
      () => `  ${value}  `,
      () => (value.length > 1_000 ? value : value.repeat(random() < 0.02 ? 1_000 : 20)),
      () => `${value}, ${value}`,
      () => value.toUpperCase(),
      () => [...value].toReversed().join(""),
    ],
    random,
  )();
}

const NASTY_KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "id",
  "ok",
  "session",
  "recipients",
  "deadline",
  "secret",
  "prompt",
  "behavior",
  "unanswered",
  "cancelled",
  "",
  "\u0000",
  "\ud800",
  "🙂",
];

const NASTY_TEXTS = [
  "\u0000",
  "\ud800",
  "\udc00\ud800",
  "\u202e",
  "\u2028",
  "\u0085",
  "\ufeff",
  "e\u0301",
  "👩‍👩‍👧‍👦",
  ", ",
  "\r\n",
  '"]}',
  "[cancelled by user]",
  " (Recommended)",
  "\u001b[2J",
];

function nastyValue(random: Random): unknown {
  return pick<() => unknown>(
    [
      () => null,
      () => undefined,
      () => true,
      () => false,
      () => 0,
      () => -1,
      () => 2.5,
      () => 1e308,
      () => Number.NaN,
      () => "",
      () => " 2 ",
      () => "Other",
      () => "[]",
      // Deeper than a recursive reader's stack: as text, because JSON.stringify itself is one.
      () => nestedText(random() < 0.02 ? 50_000 : 50),
      () => '{"questions":[]}',
      () => pick(NASTY_TEXTS, random),
      () => pick(NASTY_KEYS, random),
      () => [],
      () => [[]],
      () => [null],
      () => ({}),
      () => JSON.parse('{"__proto__":{"label":"polluted"},"label":"x"}'),
      () => nested(random() < 0.02 ? 600 : 80, random() < 0.5),
      () => "x".repeat(random() < 0.02 ? 1_100_000 : 9_000),
    ],
    random,
  )();
}

function nestedText(depth: number): string {
  return `${"[".repeat(depth)}${"]".repeat(depth)}`;
}

function nested(depth: number, asList: boolean): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level += 1) value = asList ? [value] : { options: value };
  return value;
}
