import { durationMs } from "../kit/duration.js";
import { LIMITS } from "../kit/limits.js";
import type { Model, Unfinished } from "../read/field.js";
import { NOTIFY_IDS } from "../read/give-ids.js";
import type { InputReader, Path } from "../read/input-reader.js";

/** When people are notified of an ask that nobody has answered yet, and who. */
export interface NotifyStep {
  readonly id: string;
  /** Time since the ask was created: `0s`, `10m`, `2h`, `1d`. */
  readonly after: string;
  /** People to add to the recipients and to notify; without it, the recipients are notified again. */
  readonly to?: readonly string[];
}

export const NOTIFY_STEP: Model<NotifyStep> = {
  name: "NotifyStep",
  must: "an object with after",
  fields: {
    id: { kind: "id", max: LIMITS.idLength, known: true, about: "Unique in the ask; n1, n2, … by default." },
    after: {
      kind: "text",
      max: 32,
      blank: ["invalid_value", "say when, like 0s, 10m or 2h"],
      about: "Time since the ask was created: 0s, 10m, 2h, 1d.",
    },
    to: {
      kind: "ids",
      max: LIMITS.recipients,
      unique: true,
      about: "People to add to the recipients; without it, the recipients are notified again.",
    },
  },
  list: {
    ids: NOTIFY_IDS,
    range: () => ({ min: 0, max: LIMITS.notifySteps }),
    wrongCount: (_count, { max }) => ["too_large", `must have at most ${max} steps`],
  },
  check({ after }: Unfinished<NotifyStep>, _given: unknown, path: Path, reader: InputReader): void {
    const milliseconds = after === undefined ? 0 : durationMs(after);
    if (milliseconds !== undefined && milliseconds <= LIMITS.notifyMs) return;
    reader.add("invalid_value", path, "must be a time like 0s, 10m or 1d, at most 30d", "after");
  },
};
