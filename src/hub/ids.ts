import { uuidv7 } from "uuidv7";

/** Ids rise with time, so that new rows go to the end of an index. */
export function newAskId(): string {
  return `ask_${uuidv7()}`;
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
  return `hub_${uuidv7()}`;
}
