import { curlLine } from "./answer-hint.js";

export interface BannerFacts {
  readonly version: string;
  readonly url: string;
  readonly store: string;
  /** A link that opens the inbox once; undefined where it must not be printed. */
  readonly inbox?: string;
  /** Who may answer; undefined where nobody may yet. */
  readonly person?: string;
  /** The configuration files that were read. */
  readonly config?: readonly string[];
  /** A file of headers with the agent's token, for `curl -H @FILE`. */
  readonly agentHeaders: string;
  /** Undefined where the tokens are not this machine's. */
  readonly credentials?: { readonly path: string; readonly created: boolean };
  /** What stands behind `npx askline ask` to reach this server. */
  readonly hint: string;
  /** What stands behind `npx askline inbox` for a new link to it; undefined where there can be none. */
  readonly inboxHint?: string;
}

const SAMPLE = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] };

/** What `askline serve` says when it is ready. Paths and links stand whole, so that they can be copied. */
export function bannerText(facts: BannerFacts): string {
  const {
    version,
    url,
    store,
    inbox,
    person,
    config = [],
    credentials,
    agentHeaders,
    hint,
    inboxHint,
  } = facts;
  const lines = [
    `Askline ${version} is ready.`,
    "",
    `  Server  ${url}`,
    `  Store   ${store}`,
    ...config.map((path) => `  Config  ${path}`),
    ...(credentials === undefined
      ? []
      : [`  Tokens  ${credentials.path}${credentials.created ? " (new)" : ""}`]),
    "",
    ...(person === undefined
      ? [
          "Nobody can answer yet. Make a token for a person:",
          "  npx askline token create --role person --person NAME",
        ]
      : inbox === undefined
        ? [
            "Answer in a browser, with a link that works once:",
            ...(inboxHint === undefined
              ? ["  start the server with --print-link"]
              : [`  npx askline inbox${inboxHint}`]),
          ]
        : [
            "Answer in a browser (opens once, within 10 minutes):",
            `  ${inbox}`,
            ...(inboxHint === undefined ? [] : ["or by a new link:", `  npx askline inbox${inboxHint}`]),
          ]),
    "",
    "Ask from another terminal:",
    `  npx askline ask${hint} --question "Ship it?" --option Yes --option No`,
    ...(credentials === undefined
      ? []
      : ["or from any program:", `  ${curlLine(agentHeaders, `${url}/v1/asks?wait=60`, SAMPLE)}`]),
  ];
  return lines.join("\n");
}
