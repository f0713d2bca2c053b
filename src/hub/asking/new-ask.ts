import { randomFillSync } from "node:crypto";
import { V7Generator } from "uuidv7";
import { type Ask, type AskRequest, canonicalJson, type Json } from "../../core/index.js";
import { ASK } from "../../core/model/ask.js";
import { entriesOf, type Unfinished } from "../../core/read/field.js";

/** The fields that an ask has from its request. */
const COPIED = entriesOf(ASK.fields).flatMap(([name, { stored }]) =>
  stored ? [] : [name as keyof AskRequest & keyof Ask],
);

/** A pending ask made of a request: its deadline counted from now where the request only says how long. */
export function newAsk(
  id: string,
  request: AskRequest,
  createdAt: number,
  { asker, transcript }: { readonly asker: string | undefined; readonly transcript: string | undefined },
): Ask {
  const ask: Partial<Unfinished<Ask>> = { id, status: "pending", createdAt };
  copy(request, ask);
  if (request.timeoutMs !== undefined) ask.deadline = createdAt + request.timeoutMs;
  if (asker !== undefined) ask.asker = asker;
  if (transcript !== undefined) ask.transcript = transcript;
  return Object.freeze(ask as Ask);
}

/** Field by field: this runs for every ask, and a copy that leaves a field out costs ten times as much. */
function copy(from: AskRequest, into: Record<string, unknown>): void {
  for (const name of COPIED) if (from[name] !== undefined) into[name] = from[name];
}

/**
 * Whether two ask the same: questions or approval, and context. Deadline, metadata and the like do not count, so
 * that an agent that starts again and asks with a new deadline still asks the same.
 */
export function sameContent(one: AskRequest, other: Ask): boolean {
  return (
    (one.context ?? "") === (other.context ?? "") &&
    // The parser writes the fields of a question in one order; an action's arguments come in the model's.
    JSON.stringify(one.questions) === JSON.stringify(other.questions) &&
    canonical(one) === canonical(other)
  );
}

function canonical({ approval }: Pick<Ask, "approval">): string {
  return approval === undefined ? "" : canonicalJson(approval as unknown as Json);
}

// Random numbers for some hundred ids at once: to ask for a few at a time costs more than the rest of an id.
const numbers = new Uint32Array(1_024);
let used = numbers.length;
const ids = new V7Generator({
  nextUint32() {
    if (used >= numbers.length) {
      randomFillSync(numbers);
      used = 0;
    }
    used += 1;
    return numbers[used - 1] ?? 0;
  },
});

/** Ids rise with time, so that new rows go to the end of an index. */
export function newAskId(): string {
  return `ask_${ids.generate()}`;
}

/** Names for the attempts of one hub to settle: unlike any other's, and cheap, for there is one in every ask. */
export function createSettlementIds(hubId: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${hubId}.${count}`;
  };
}

export function newHubId(): string {
  return `hub_${ids.generate()}`;
}
