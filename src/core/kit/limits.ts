/**
 * The limits of all input. Text is counted in UTF-16 code units
 * (`string.length`), JSON in the length of its text. `docs/limits.md` lists them for users.
 */
export const LIMITS = {
  questionLength: 8_000,
  headerLength: 1_000,
  labelLength: 1_000,
  descriptionLength: 8_000,
  previewLength: 65_536,
  contextLength: 65_536,
  idLength: 128,
  keyLength: 512,
  sessionLength: 256,
  agentPathItems: 32,
  recipients: 100,
  metadataLength: 16_384,
  actions: 20,
  actionNameLength: 256,
  /** Rules of the agent's host that one action offers. */
  hostRules: 8,
  argsLength: 65_536,
  jsonDepth: 64,
  textLength: 32_768,
  noteLength: 8_000,
  reasonLength: 8_000,
  draftLength: 262_144,
  callbackUrlLength: 4_096,
  callbackHeadersLength: 8_192,
  notifySteps: 10,
  /** The latest step of `notify`: 30 days. */
  notifyMs: 2_592_000_000,
  /** The size of a whole ask, as JSON. */
  askLength: 1_048_576,
  /** The maximum of `timeoutMs` and `extendOnActivity`: ten years. */
  durationMs: 315_360_000_000,
  /** Surfaces cut headers to about this many characters; the stored header is kept whole. */
  displayHeader: 12,
} as const;

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** How many questions and options an ask may have, and which fields they need. There is one for each foreign system. */
export interface Profile {
  readonly name: string;
  readonly questions: Range;
  readonly options: Range;
  readonly headerRequired: boolean;
  /** Whether question texts must differ: true where answers are keyed by them. */
  readonly uniqueQuestions: boolean;
  /** Whether labels that look alike count as duplicates. Dialects whose documents compare labels exactly omit it. */
  readonly distinctLabels?: boolean;
  /** Whether questions may be skipped if the ask does not say. */
  readonly allowPartial: boolean;
}

const claude: Profile = {
  name: "claude",
  questions: { min: 1, max: 4 },
  options: { min: 2, max: 4 },
  headerRequired: true,
  uniqueQuestions: true,
  allowPartial: false,
};

export const profiles: {
  readonly [Name in "claude" | "canonical" | "spring" | "toolbox" | "chat" | "open"]: Profile;
} = {
  claude,
  canonical: { ...claude, name: "canonical", uniqueQuestions: false },
  spring: { ...claude, name: "spring", questions: { min: 1, max: 10 } },
  toolbox: {
    ...claude,
    name: "toolbox",
    questions: { min: 1, max: 1 },
    options: { min: 2, max: 20 },
    headerRequired: false,
  },
  chat: {
    name: "chat",
    questions: { min: 1, max: 10 },
    options: { min: 1, max: 20 },
    headerRequired: false,
    uniqueQuestions: true,
    distinctLabels: true,
    allowPartial: true,
  },
  open: {
    name: "open",
    questions: { min: 1, max: 20 },
    options: { min: 0, max: 50 },
    headerRequired: false,
    uniqueQuestions: false,
    distinctLabels: true,
    allowPartial: false,
  },
};

/** Whether every ask that fits `inner` also fits `outer`. Ignores `distinctLabels`: a hub takes what a dialect accepts. */
export function isWithin(inner: Profile, outer: Profile): boolean {
  if (inner === outer) return true;
  return (
    isRangeWithin(inner.questions, outer.questions) &&
    isRangeWithin(inner.options, outer.options) &&
    (inner.headerRequired || !outer.headerRequired) &&
    (inner.uniqueQuestions || !outer.uniqueQuestions)
  );
}

function isRangeWithin(inner: Range, outer: Range): boolean {
  return inner.min >= outer.min && inner.max <= outer.max;
}
