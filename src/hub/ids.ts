import { randomFillSync } from "node:crypto";
import { V7Generator } from "uuidv7";

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
