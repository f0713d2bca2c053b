// What `askline answer` is given, in the order it was given: `--pick`, `--text`, `--note` and `--skip` belong to
// the `--question` before them.

export type AnswerFlag =
  | { readonly kind: "question" | "pick" | "text" | "note"; readonly value: string }
  | { readonly kind: "skip" };

/** Keeps the order of flags across options, which commander keeps only within one. */
export interface FlagRecorder {
  readonly flags: readonly AnswerFlag[];
  /** A parser for a commander option that records what it is given. */
  record(kind: "question" | "pick" | "text" | "note"): (value: string) => string;
  recordSkip(): void;
}

export function createFlagRecorder(): FlagRecorder {
  const flags: AnswerFlag[] = [];
  return {
    flags,
    record: (kind) => (value) => {
      flags.push({ kind, value });
      return value;
    },
    recordSkip() {
      flags.push({ kind: "skip" });
    },
  };
}
