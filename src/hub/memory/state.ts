import { AsklineError } from "../../core/index.js";

/** What the parts of the memory store share. */
export interface State {
  readonly open: boolean;
  now(): number;
}

export function requireOpen(state: State): void {
  if (!state.open) throw new AsklineError("closed", "the memory store is not open");
}
