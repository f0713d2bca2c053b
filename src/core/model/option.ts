import { isPlain, lookOf } from "../kit/fold.js";
import { LIMITS } from "../kit/limits.js";
import { type Fields, type InputOf, isRepeated, type Model } from "../read/field.js";
import { OPTION_IDS } from "../read/give-ids.js";
import { at, type InputReader, type Path } from "../read/input-reader.js";

export const PREVIEW_FORMATS = ["text", "markdown", "html"] as const;

/** Content to look at before choosing an option. Surfaces that cannot render its format show it as text. */
export interface Preview {
  /** How to show the content; markdown by default. */
  readonly format: (typeof PREVIEW_FORMATS)[number];
  /** What to show. */
  readonly content: string;
  /** Bytes of the content that was left out, which is then empty. The ask, read by its id, has it. */
  readonly omitted?: number;
}

/** One labelled choice. */
export interface Option {
  /** Unique in its question; o1, o2, … by default. */
  readonly id: string;
  /** What the person reads; unique in its question. */
  readonly label: string;
  /** The consequences of choosing it. */
  readonly description?: string;
  /** Content to look at before choosing: Markdown, or an object with a format. */
  readonly preview?: Preview;
  /** The agent recommends this option. */
  readonly recommended?: true;
  /** Choosing it opens the text field; the typed text is the answer, never the label. */
  readonly input?: true;
}

/** What a caller may write for an option; `parseAsk` turns it into an {@link Option}. */
export type OptionInput =
  | string
  | InputOf<
      Option,
      "label",
      {
        /** Content to look at before choosing: Markdown, or an object with a format. */
        readonly preview?: string | Preview;
      }
    >;

const PREVIEW: Model<Preview> = {
  must: "a string or { format, content }",
  short: "content",
  fields: {
    format: {
      kind: "choice",
      choices: PREVIEW_FORMATS,
      default: "markdown",
      about: "How to show the content; markdown by default.",
    },
    content: { kind: "text", max: LIMITS.previewLength, essential: true, about: "What to show." },
    omitted: {
      kind: "integer",
      min: 1,
      max: 4 * LIMITS.previewLength,
      stored: true,
      about: "Bytes of content left out of lists and events; GET /v1/asks/{id} has it.",
    },
  },
};

export const OPTION: Model<Option> = {
  name: "Option",
  tool: "One choice.",
  must: "a string or an object with a label",
  short: "label",
  fields: {
    id: {
      kind: "id",
      max: LIMITS.idLength,
      known: true,
      about: "Unique in its question; o1, o2, … by default.",
    },
    label: {
      kind: "text",
      max: LIMITS.labelLength,
      blank: ["blank_label", "each option must have a non-empty label"],
      aliases: ["name"],
      about: "What the person reads; unique in its question.",
      tool: { about: "The text of the choice: one to five words.", required: true },
    },
    description: {
      kind: "text",
      max: LIMITS.descriptionLength,
      about: "The consequences of choosing it.",
      tool: { about: "What choosing it means: consequences, trade-offs.", required: true },
    },
    preview: {
      kind: "object",
      of: PREVIEW,
      about: "Content to look at before choosing: Markdown, or an object with a format.",
      tool: {
        about:
          "Content to look at before choosing, such as a code snippet or a mock-up, as Markdown. Optional.",
      },
    },
    // A person reads the label, so `recommended: false` does not undo a label that says "(Recommended)".
    recommended: {
      kind: "mark",
      impliedBy: ({ label }) => isRecommended(label),
      about: "The agent recommends this option.",
    },
    input: {
      kind: "mark",
      about: "Choosing it opens the text field; the typed text is the answer, never the label.",
    },
  },
  list: {
    ids: OPTION_IDS,
    names: { of: ({ label }) => label, what: "label of another option" },
    shape: "option",
    range: ({ options }) => options,
    wrongCount: (_count, { min, max }) => ["option_count", `each question must have ${min}-${max} options`],
    checkItem: refuseRepeatedLabel,
    checkAll: checkOptions,
  },
};

/**
 * Labels that mean "let me type it myself" in the languages of our surfaces. An option with exactly such a label
 * becomes the text field, unless the question does not allow free text.
 */
export const CATCH_ALL_LABELS: readonly string[] = [
  "Other",
  "Khác",
  "Andere",
  "Autre",
  "Otro",
  "Outro",
  "Altro",
  "Другое",
  "その他",
  "其他",
  "기타",
];

const LONGEST_CATCH_ALL = Math.max(...CATCH_ALL_LABELS.map(({ length }) => length));

const RECOMMENDED = /\(recommended\)\s*$/i;

/** Most labels end in a letter, and then the pattern is not needed. */
function isRecommended(label: unknown): boolean {
  if (typeof label !== "string") return false;
  const last = label.charCodeAt(label.length - 1) | 0x20;
  return !(last >= 0x61 && last <= 0x7a) && RECOMMENDED.test(label);
}

function refuseRepeatedLabel(
  options: readonly Option[],
  index: number,
  path: Path,
  reader: InputReader,
): void {
  if (!isRepeated(options, index, "label")) return;
  reader.add("duplicate_label", at(path, index), "option labels within a question must be unique", "label");
}

function checkOptions(options: Option[], question: Fields, path: Path, reader: InputReader): void {
  if (reader.profile.distinctLabels && !options.every(hasPlainLabel)) refuseLookAlikes(options, path, reader);
  checkTextField(options, question, path, reader);
}

/** A plain label looks only like itself. */
function hasPlainLabel({ label }: Option): boolean {
  return label === undefined || isPlain(label);
}

function refuseLookAlikes(options: readonly Option[], path: Path, reader: InputReader): void {
  for (const [index, { label }] of options.entries()) {
    const look = label === undefined ? undefined : lookOf(label);
    const alike = options.slice(0, index).filter((other) => other.label && lookOf(other.label) === look);
    if (alike.length === 0 || alike.some((other) => other.label === label)) continue;
    const message = "option labels within a question must be unique, also to the eye";
    reader.add("duplicate_label", at(path, index), message, "label");
  }
}

/** At most one option opens the text field. Without one, an option with a catch-all label becomes it. */
function checkTextField(options: Option[], question: Fields, path: Path, reader: InputReader): void {
  let inputs = 0;
  let catchAll: number | undefined;
  for (let index = 0; index < options.length; index += 1) {
    const option = options[index];
    if (option?.input) inputs += 1;
    else if (catchAll === undefined && isCatchAll(option?.label)) catchAll = index;
  }
  if (inputs > 1) reader.add("conflict", path, "only one option may have input: true");
  if (inputs === 1 && question.freeText === false) {
    reader.add("conflict", path, "an option with input: true needs free text; omit freeText");
  }
  if (inputs > 0 || question.freeText === false || catchAll === undefined) return;
  options[catchAll] = Object.freeze({ ...(options[catchAll] as Option), input: true as const });
}

function isCatchAll(label: string | undefined): boolean {
  return label !== undefined && label.length <= LONGEST_CATCH_ALL && CATCH_ALL_LABELS.includes(label);
}
