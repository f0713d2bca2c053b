import { Command, CommanderError } from "commander";
import { textWidth } from "../people/cells/width.js";
import { hang } from "../people/cells/wrap.js";
import type { Context, Define } from "./input/command.js";
import { packageVersion } from "./world/package-version.js";

/** What the help says, and where the command is defined. */
type Entry = readonly [summary: string, load: () => Promise<{ readonly define: Define }>];

/** Every command, by the heading that the help shows it under. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  "A server:": {
    serve: ["start a server for asks, with an inbox page", () => import("./commands/serve.js")],
    stop: ["stop the server that runs in the background", () => import("./commands/stop.js")],
    link: ["print a new link that opens a person's inbox in a browser", () => import("./commands/link.js")],
    demo: [
      "see it work: a scripted agent asks, you answer in the browser",
      () => import("./commands/demo.js"),
    ],
    people: [
      "list the people that the server knows, and remove one, directly in the store",
      () => import("./commands/people.js"),
    ],
    token: ["create, list and revoke tokens, directly in the store", () => import("./commands/token.js")],
  },
  "Maintenance:": {
    doctor: ["check everything a server needs, and say how to fix it", () => import("./commands/doctor.js")],
    backup: ["copy an SQLite store, even while a server uses it", () => import("./commands/backup.js")],
    export: [
      "write asks, outcomes, audit and transcripts as JSON Lines",
      () => import("./commands/export.js"),
    ],
    import: ["read an export into a store", () => import("./commands/import.js")],
    deliveries: [
      "list and retry what could not be delivered; print signing secrets",
      () => import("./commands/deliveries.js"),
    ],
    prune: [
      "permanently remove asks that ended long ago, and their transcripts",
      () => import("./commands/prune.js"),
    ],
  },
  "For agents and scripts:": {
    ask: ["ask a person, here or through a server, and print the outcome", () => import("./commands/ask.js")],
    mcp: ["let any MCP client ask: an MCP server over stdio or HTTP", () => import("./commands/mcp.js")],
    acp: ["run a coding agent (ACP) whose questions go to your inbox", () => import("./commands/acp.js")],
    hook: ["answer an event of a coding agent's hook, from stdin", () => import("./commands/hook.js")],
    connect: [
      "set up coding agents, so that their prompts come to the inbox",
      () => import("./commands/connect.js"),
    ],
    codex: ["send the approvals and questions of Codex to your inbox", () => import("./commands/codex.js")],
    opencode: [
      "send the questions of a running opencode to your inbox",
      () => import("./commands/opencode.js"),
    ],
    toolbox: [
      "speak the toolbox protocol of ask_user (TOOLBOX_ACTION)",
      () => import("./commands/toolbox.js"),
    ],
  },
  "For people:": {
    status: ["show what is running and what to do next (default)", () => import("./commands/status.js")],
    inbox: ["the live inbox at this terminal: read, answer, decide", () => import("./commands/inbox.js")],
    list: ["list the asks that wait for an answer, or others", () => import("./commands/list.js")],
    show: ["show one ask with everything needed to decide", () => import("./commands/show.js")],
    audit: [
      "show what happened to an ask: who did what, when and where",
      () => import("./commands/audit.js"),
    ],
    watch: ["follow asks and answers live", () => import("./commands/watch.js")],
    answer: ["answer the questions of an ask", () => import("./commands/answer.js")],
    approve: [
      "approve the actions of an approval, all or some",
      async () => ({ define: (await import("./commands/decide.js")).defineApprove }),
    ],
    reject: [
      "reject the actions of an approval, all or some",
      async () => ({ define: (await import("./commands/decide.js")).defineReject }),
    ],
    rules: ["list and revoke remembered decisions", () => import("./commands/rules.js")],
    notifications: [
      "show your notification settings, and mute an agent",
      () => import("./commands/notifications.js"),
    ],
    decline: [
      "refuse to answer, one ask or all of an agent",
      async () => ({ define: (await import("./commands/end.js")).defineDecline }),
    ],
    reply: [
      "say something instead of choosing",
      async () => ({ define: (await import("./commands/end.js")).defineReply }),
    ],
    withdraw: [
      "take an ask back, as the agent that asked",
      async () => ({ define: (await import("./commands/end.js")).defineWithdraw }),
    ],
  },
};

/** The whole command line. Only the command that `args` names is loaded. */
export async function createProgram(args: readonly string[], context: Context): Promise<Command> {
  const { world } = context;
  const program = new Command("askline")
    .description("The line between AI agents and people: ask, answer, go on.")
    .option("-V, --version", "print the version")
    .option("--json", "print results and errors as one line of JSON")
    .option("--verbose", "show the whole error when something fails")
    .addHelpText("after", MAIN_HELP)
    .configureHelp({ showGlobalOptions: true })
    .helpCommand("help [command]", "show the help of a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(fitHelp(text, world.stdout.columns)),
      writeErr: (text) => world.stderr.write(fitHelp(text, world.stderr.columns)),
      outputError: () => undefined,
    })
    .on("option:version", () => {
      world.stdout.write(`${packageVersion()}\n`);
      throw new CommanderError(0, "askline.version", "");
    });

  const typed = args.find((arg) => !arg.startsWith("-") && arg !== "help");
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const [name, [summary, load]] of Object.entries(commands)) {
      const command = program.command(name).description(summary);
      if (name === typed) (await load()).define(command, context);
    }
  }
  return program;
}

const MAIN_HELP = `
Examples:
  $ askline demo
  $ askline serve
  $ askline ask --question "Which auth?" --option OAuth --option "API key"
  $ askline list
  $ askline answer 3f9a12bc --pick 2
  $ printf '%s' '{"question":"Q?","options":["A","B"]}' | TOOLBOX_ACTION=execute askline toolbox
`;

const USUAL_COLUMNS = 80;

/**
 * Wraps the paragraphs of a help text to the terminal. Indented lines stay as they are: examples are copied, and
 * commander has already wrapped the lists.
 */
export function fitHelp(text: string, columns: number = USUAL_COLUMNS): string {
  return text
    .split("\n\n")
    .map((block) => {
      const lines = block.split("\n");
      const prose = lines.filter((line) => line !== "").every((line) => /^\S/.test(line));
      if (!prose || lines.every((line) => textWidth(line) <= columns)) return block;
      const [before = "", after = ""] = [/^\n*/.exec(block)?.[0], /\n*$/.exec(block)?.[0]];
      return `${before}${hang("", block.trim().replaceAll("\n", " "), columns)}${after}`;
    })
    .join("\n\n");
}
