import { BAD_INPUT_EXIT_CODE, OUTCOME_EXIT_CODES as CODES, FAULT_EXIT_CODE } from "./exit-codes.js";

const EXIT_CODES: readonly (readonly [number, string])[] = [
  [CODES.answered, "answered, or every action approved or edited"],
  [FAULT_EXIT_CODE, "an unexpected fault"],
  [BAD_INPUT_EXIT_CODE, "the command line or the ask cannot be used"],
  [CODES.declined, "declined (a blank line), or an action was rejected"],
  [CODES.expired, "expired: nobody answered in time"],
  [CODES.unavailable, "unavailable: no terminal, or the input ended"],
  [CODES.replied, "replied: the person said something else instead"],
  [CODES.withdrawn, "withdrawn: Ctrl-C (143 for SIGTERM, 129 for SIGHUP)"],
];

export const ASK_HELP: string = `
The ask comes from --question, from --file, or as JSON on stdin. With the first two, answers are read from
stdin; with the last, from the controlling terminal. Prompts go to stderr or the terminal, the outcome alone
to stdout. With --url or ASKLINE_URL the ask goes to a server, and this waits until somebody answers it there.

Examples:
  $ askline ask --question "Which auth?" --option "OAuth :: Browser flow" --option "API key"
  $ printf '2\\n' | askline ask --question "Which auth?" --option OAuth --option "API key" --format json
  $ askline ask --file ask.json --timeout 5m
  $ echo '{"questions":[{"question":"Ship it?","options":["Yes","No"]}]}' | askline ask
  $ askline ask --url http://127.0.0.1:4780 --question "Ship it?" --option Yes --option No

Exit codes:
${EXIT_CODES.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`).join("\n")}
`;

export const MAIN_HELP: string = `
Examples:
  $ askline serve
  $ askline ask --url http://127.0.0.1:4780 --question "Which auth?" --option OAuth --option "API key"
  $ askline list
  $ askline answer 3f9a12bc --pick 2
  $ printf '%s' '{"question":"Q?","options":["A","B"]}' | TOOLBOX_ACTION=execute askline toolbox
`;

export const TOOLBOX_HELP: string = `
TOOLBOX_ACTION says what to do: describe prints what the tool takes, execute reads one question as JSON from
stdin and prints it with numbered options. Either way stdout is one line of JSON; exit code 0, or 1 for an
error. The command ask_user does the same.

Example:
  $ printf '%s' '{"question":"Q?","options":["A","B"]}' | TOOLBOX_ACTION=execute askline toolbox
`;
