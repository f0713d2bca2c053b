import { uuidv7 } from "uuidv7";

/** Ids rise with time, so that new rows go to the end of an index. */
export function newAskId(): string {
  return `ask_${uuidv7()}`;
}

export function newSettlementId(): string {
  return `settlement_${uuidv7()}`;
}

export function newHubId(): string {
  return `hub_${uuidv7()}`;
}
