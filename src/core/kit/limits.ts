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
