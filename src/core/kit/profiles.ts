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
