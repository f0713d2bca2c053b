import { curlLine } from "./answer-hint.js";

export interface BannerFacts {
  readonly version: string;
  readonly url: string;
  readonly store: string;
  /** How long ended asks are kept; `off` if they are kept for ever. */
  readonly retention: string;
  /** A link that opens the inbox once; undefined if it must not be printed. */
  readonly inbox?: string;
  /** The person who may answer; undefined if nobody may yet. */
  readonly person?: string;
  /** The configuration files that were read. */
  readonly config?: readonly string[];
  /** Where the server is reached on this machine; `url` may be the address of a proxy. */
  readonly localUrl: string;
  /** A file with the agent's token, for `curl -H @FILE`. */
  readonly agentHeaders: string;
  /** Undefined if this start uses no tokens of this machine. */
  readonly credentials?: { readonly path: string; readonly created: boolean };
  /** Flags that `npx askline ask` needs to reach this server. */
  readonly hint: string;
  /** Flags that `npx askline link` needs to make a new link; undefined if it cannot make one. */
  readonly linkHint?: string;
  /** Flags that `npx askline inbox` needs to reach this server; undefined if it has no token of this machine. */
  readonly inboxHint?: string;
}

const SAMPLE = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] };

/** What `askline serve` prints when it is ready. Paths and links are never wrapped, so they can be copied. */
export function bannerText(facts: BannerFacts): string {
  const {
    version,
    url,
    store,
    retention,
    inbox,
    person,
    config = [],
    credentials,
    localUrl,
    agentHeaders,
    hint,
    linkHint,
    inboxHint,
  } = facts;
  const lines = [
    `Askline ${version} is ready.`,
    "",
    `  Server  ${url}`,
    `  Store   ${store}`,
    retention === "off"
      ? "  Keeps   everything (--retain 90d removes what ended 90 days ago)"
      : `  Keeps   ended asks and transcripts for ${retention}, then removes them`,
    ...config.map((path) => `  Config  ${path}`),
    ...(credentials === undefined
      ? []
      : [`  Tokens  ${credentials.path}${credentials.created ? " (new)" : ""}`]),
    "",
    ...(person === undefined
      ? [
          "Nobody can answer yet. Create a token for a person:",
          "  npx askline token create --role person --person NAME",
        ]
      : inbox === undefined
        ? [
            "To answer in a browser, get a link that works once:",
            linkHint === undefined
              ? "  restart the server with --print-link"
              : `  npx askline link${linkHint}`,
          ]
        : [
            "Answer in a browser (the link works once, within 10 minutes):",
            `  ${inbox}`,
            ...(linkHint === undefined ? [] : ["or get a new link:", `  npx askline link${linkHint}`]),
          ]),
    ...(person === undefined || inboxHint === undefined
      ? []
      : ["or answer at a terminal:", `  npx askline inbox${inboxHint}`]),
    "",
    "Ask from another terminal:",
    `  npx askline ask${hint} --question "Ship it?" --option Yes --option No`,
    ...(credentials === undefined
      ? []
      : ["or from any program:", `  ${curlLine(agentHeaders, `${localUrl}/v1/asks?wait=60`, SAMPLE)}`]),
  ];
  return lines.join("\n");
}
