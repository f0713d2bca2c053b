export const PREVIEW_FORMATS = ["text", "markdown", "html"] as const;

/** What a person may look at before choosing an option. Shown as text unless a surface can do better. */
export interface Preview {
  readonly format: (typeof PREVIEW_FORMATS)[number];
  readonly content: string;
}

/** One labelled choice. */
export interface Option {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly preview?: Preview;
  readonly recommended?: true;
  /** Choosing it opens the text field: the answer is what the person types, never this label. */
  readonly input?: true;
}

/** One prompt. No options means that only free text can answer it. */
export interface Question {
  readonly id: string;
  readonly question: string;
  readonly header?: string;
  readonly options: readonly Option[];
  readonly multiSelect: boolean;
  /** Fewest picks that make an answer; typed text counts as one pick. Multi-select only. */
  readonly minPicks?: number;
  /** Most picks that an answer may hold; typed text counts as one pick. Multi-select only. */
  readonly maxPicks?: number;
  /** Whether the person may type an answer of their own. */
  readonly freeText: boolean;
}

/** What a caller may write for an option; `parseAsk` makes an {@link Option} of it. */
export type OptionInput =
  | string
  | {
      readonly id?: string;
      readonly label: string;
      readonly description?: string;
      readonly preview?: string | Preview;
      readonly recommended?: boolean;
      readonly input?: boolean;
    };

/** What a caller may write for a question; `parseAsk` makes a {@link Question} of it. */
export interface QuestionInput {
  readonly id?: string;
  readonly question: string;
  readonly header?: string;
  readonly options?: readonly OptionInput[];
  readonly multiSelect?: boolean;
  readonly minPicks?: number;
  readonly maxPicks?: number;
  readonly freeText?: boolean;
}
