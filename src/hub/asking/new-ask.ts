import { randomFillSync } from "node:crypto";
import { V7Generator } from "uuidv7";
import { canonicalJson, type Json } from "../../core/kit/json.js";
import { ASK, type Ask, type AskRequest } from "../../core/model/ask.js";
import { entriesOf, type Unfinished } from "../../core/read/field.js";
import type { AskerOption } from "../seam/port.js";

/** The fields that an ask copies from its request. */
const COPIED = entriesOf(ASK.fields).flatMap(([name, { stored }]) =>
  stored ? [] : [name as keyof AskRequest & keyof Ask],
);

/** Makes a pending ask of a request. A `timeoutMs` becomes a deadline, counted from `createdAt`. */
export function newAsk(
  id: string,
  request: AskRequest,
  createdAt: number,
  { asker, owner, transcript }: AskerOption,
): Ask {
  const ask: Partial<Unfinished<Ask>> = { id, status: "pending", createdAt };
  copy(request, ask);
  if (request.timeoutMs !== undefined) ask.deadline = createdAt + request.timeoutMs;
  if (asker !== undefined) ask.asker = asker;
  if (owner !== undefined) ask.owner = owner;
  if (transcript !== undefined) ask.transcript = transcript;
  return Object.freeze(ask as Ask);
}

/** Copies field by field: this runs for every ask, and a rest spread costs ten times as much. */
function copy(from: AskRequest, into: Record<string, unknown>): void {
  for (const name of COPIED) if (from[name] !== undefined) into[name] = from[name];
}

/**
 * Whether a request has the content of a stored ask: questions or approval, and context. Deadline, metadata and the
 * like do not count, so an agent that restarts and asks with a new deadline gets the same ask.
 */
export function sameContent(request: AskRequest, ask: Ask): boolean {
  return (
    (request.context ?? "") === (ask.context ?? "") &&
    // The parser fixes the field order of a question. The arguments of an action keep the order the model sent.
    (JSON.stringify(request.questions) === JSON.stringify(ask.questions) ||
      withTextPreviews(request) === withTextPreviews(ask)) &&
    canonical(request) === canonical(ask)
  );
}

/** A preview given as a string is Markdown, but was stored as text before 0.2: a key of then must find its ask. */
function withTextPreviews({ questions }: Pick<Ask, "questions">): string {
  return JSON.stringify(questions, (key, value) =>
    key === "preview" && value.format === "markdown" ? { ...value, format: "text" } : value,
  );
}

function canonical({ approval }: Pick<Ask, "approval">): string {
  return approval === undefined ? "" : canonicalJson(approval as unknown as Json);
}

// Random numbers are drawn in bulk: drawing a few for each id costs more than the rest of the id.
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

/** Ids rise with time, so new rows go to the end of an index. */
export function newAskId(): string {
  return `ask_${ids.generate()}`;
}

/** Makes ids for the settle attempts of one hub. They are unique across hubs, and cheap: every ask needs one. */
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
