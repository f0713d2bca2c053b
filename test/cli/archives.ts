import fc from "fast-check";
import { exportAsks } from "../../src/cli/transfer/export.js";
import type { ArchiveLine, AskLine } from "../../src/cli/transfer/format.js";
import { type Imported, importAsk } from "../../src/cli/transfer/import-asks.js";
import { parseLine } from "../../src/cli/transfer/parse-line.js";
import { createHub, type Store } from "../../src/hub/index.ts";
import type { Ask, Outcome } from "../../src/index.ts";
import type { FakeClock } from "../../src/testing/index.ts";
import { type Answered, arbitraryAnswered, nastyText } from "../support/arbitraries.ts";

/** Everything that a store exports, as the lines of the file. */
export async function exported(store: Store, more: object = {}): Promise<readonly string[]> {
  const lines: string[] = [];
  const signal = new AbortController().signal;
  for await (const line of exportAsks(store, { filter: {}, now: 1, signal, ...more })) {
    lines.push(JSON.stringify(line));
  }
  return lines;
}

/** Imports lines; throws if one is invalid. */
export async function imported(store: Store, lines: readonly string[]): Promise<readonly Imported[]> {
  const results: Imported[] = [];
  for (const text of lines) {
    const parsed = parseLine(text);
    if (!parsed.ok) throw new Error(`${parsed.fault}: ${text}`);
    if (parsed.line.kind === "ask") results.push(await importAsk(store, parsed.line));
  }
  return results;
}

/** The asks of an archive, without where they came from. */
export function asksOf(lines: readonly string[]): readonly AskLine[] {
  return lines.map((line) => JSON.parse(line) as ArchiveLine).filter((line) => line.kind === "ask");
}

export interface Life {
  readonly answered: Answered;
  readonly end: "answer" | "decline" | "reply" | "withdraw" | "expire" | "none";
  readonly text: string;
  readonly opens: number;
  readonly keyed: boolean;
  readonly session: string;
  readonly recipients: readonly string[];
}

export function arbitraryLife(): fc.Arbitrary<Life> {
  return fc.record({
    answered: arbitraryAnswered(),
    end: fc.constantFrom("answer", "decline", "reply", "withdraw", "expire", "none"),
    text: nastyText(),
    opens: fc.nat(3),
    keyed: fc.boolean(),
    session: fc.constantFrom("", "s1", "s 2/ü"),
    recipients: fc.constantFrom([], ["ana"], ["ana", "bo"]),
  });
}

const BY = { kind: "person", id: "ana", surface: "test" } as const;

/** Asks and ends asks through a hub. The caller closes the store. */
export async function live(store: Store, clock: FakeClock, lives: readonly Life[]): Promise<readonly Ask[]> {
  const hub = await createHub({ store, clock, logger: { warn: () => undefined, error: () => undefined } });
  const asks: Ask[] = [];
  for (const [index, { answered, end, text, opens, keyed, session, recipients }] of lives.entries()) {
    // This test decides when and how they end.
    const { questions, context, metadata, agentId, allowPartial } = answered.ask;
    const { id } = await hub.post({
      ...{ questions, allowPartial },
      ...(context !== undefined && { context }),
      ...(metadata !== undefined && { metadata }),
      ...(agentId !== undefined && { agentId }),
      ...{ session, recipients },
      ...(keyed && { key: `key ${index}` }),
      ...(end === "expire" && { timeoutMs: 1_000 }),
    });
    for (let surface = 0; surface < opens; surface += 1) {
      await clock.advance(7);
      await hub.opened(id, { by: { ...BY, surface: `surface ${surface}` } });
      await hub.shown(id, { at: clock.now(), by: { ...BY, surface: `surface ${surface}` } });
    }
    await clock.advance(13);
    const outcome: Outcome = answered.outcome;
    if (end === "answer" && outcome.kind === "answered") await hub.answer(id, outcome, { by: BY });
    if (end === "decline") await hub.decline(id, text, { by: BY });
    if (end === "reply") await hub.reply(id, text, { by: BY });
    if (end === "withdraw") await hub.withdraw(id);
    if (end === "expire") await clock.advance(1_000);
    asks.push(await hub.get(id));
  }
  return asks;
}
