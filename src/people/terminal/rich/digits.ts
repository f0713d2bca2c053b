// Numbers as keys: a digit picks its row at once, unless more digits could make another number of it.

import type { Clock } from "../../../core/kit/clock.js";
import type { FormEvent } from "../../form/event.js";
import { viewForm } from "../../form/view.js";
import type { FormDriver } from "./rich-form.js";

const DIGITS_MS = 800;

export interface Digits {
  /** What was typed and has picked nothing yet. */
  readonly typed: string;
  type(digit: string): void;
  /** Picks the row of what was typed, if there is one. */
  pick(): void;
  close(): void;
}

/** `picked` is called when the time for another digit is over. */
export function createDigits(
  driver: FormDriver,
  clock: Clock,
  dispatch: (event: FormEvent) => void,
  picked: () => void,
): Digits {
  let typed = "";
  let cancel = (): void => undefined;

  const pick = (): void => {
    const number = Number(typed);
    typed = "";
    cancel();
    const { rows, picks } = viewForm(driver.state);
    const row = rows.find((one) => "number" in one && one.number === number);
    if (row === undefined || row.disabled) return;
    dispatch({ type: row.kind === "option" && picks !== undefined ? "toggle" : "pick", row: row.key });
  };

  return {
    get typed() {
      return typed;
    },
    type(digit) {
      typed = `${typed}${digit}`.replace(/^0+/, "");
      if (typed === "") return;
      const numbers = viewForm(driver.state).rows.map((row) => ("number" in row ? (row.number ?? 0) : 0));
      if (Number(typed) * 10 > Math.max(...numbers)) return pick();
      cancel();
      cancel = clock.schedule(DIGITS_MS, () => {
        pick();
        picked();
      });
    },
    pick,
    close: () => cancel(),
  };
}
