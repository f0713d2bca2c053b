import { Command, CommanderError } from "commander";
import { textWidth } from "../people/cells/width.js";
import { hang } from "../people/cells/wrap.js";
import type { Context, Define } from "./input/command.js";
import { packageVersion } from "./world/package-version.js";

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<Define>;
}

/** Every command, by the heading that the help shows it under. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  "A server:": {
    serve: {
      summary: "start a server for asks, with an inbox page",
      load: async () => (await import("./commands/serve.js")).define,
    },
    stop: {
      summary: "stop the server that runs in the background",
      load: async () => (await import("./commands/stop.js")).define,
    },
    link: {
      summary: "print a new link that opens a person's inbox in a browser",
      load: async () => (await import("./commands/link.js")).define,
    },
    demo: {
      summary: "see it work: a scripted agent asks, you answer in the browser",
      load: async () => (await import("./commands/demo.js")).define,
    },
    people: {
      summary: "list the people that the server knows, and remove one, directly in the store",
      load: async () => (await import("./commands/people.js")).define,
    },
    token: {
      summary: "create, list and revoke tokens, directly in the store",
      load: async () => (await import("./commands/token.js")).define,
    },
  },
  "Maintenance:": {
    doctor: {
      summary: "check everything a server needs, and say how to fix it",
      load: async () => (await import("./commands/doctor.js")).define,
    },
    backup: {
      summary: "copy an SQLite store, even while a server uses it",
      load: async () => (await import("./commands/backup.js")).define,
    },
    export: {
      summary: "write asks, outcomes, audit and transcripts as JSON Lines",
      load: async () => (await import("./commands/export.js")).define,
    },
    import: {
      summary: "read an export into a store",
      load: async () => (await import("./commands/import.js")).define,
    },
    deliveries: {
      summary: "list and retry what could not be delivered; print signing secrets",
      load: async () => (await import("./commands/deliveries.js")).define,
    },
    prune: {
      summary: "permanently remove asks that ended long ago, and their transcripts",
      load: async () => (await import("./commands/prune.js")).define,
    },
  },
  "For agents and scripts:": {
    ask: {
      summary: "ask a person, here or through a server, and print the outcome",
      load: async () => (await import("./commands/ask.js")).define,
    },
    mcp: {
      summary: "let any MCP client ask: an MCP server over stdio or HTTP",
      load: async () => (await import("./commands/mcp.js")).define,
    },
    acp: {
      summary: "run a coding agent (ACP) whose questions go to your inbox",
      load: async () => (await import("./commands/acp.js")).define,
    },
    hook: {
      summary: "answer an event of a coding agent's hook, from stdin",
      load: async () => (await import("./commands/hook.js")).define,
    },
    connect: {
      summary: "set up coding agents, so that their prompts come to the inbox",
      load: async () => (await import("./commands/connect.js")).define,
    },
    codex: {
      summary: "send the approvals and questions of Codex to your inbox",
      load: async () => (await import("./commands/codex.js")).define,
    },
    opencode: {
      summary: "send the questions of a running opencode to your inbox",
      load: async () => (await import("./commands/opencode.js")).define,
    },
    toolbox: {
      summary: "speak the toolbox protocol of ask_user (TOOLBOX_ACTION)",
      load: async () => (await import("./commands/toolbox.js")).define,
    },
  },
  "For people:": {
    status: {
      summary: "say what is going on here, and the next step; the same as no command",
      load: async () => (await import("./commands/status.js")).define,
    },
    inbox: {
      summary: "the live inbox at this terminal: read, answer, decide",
      load: async () => (await import("./commands/inbox.js")).define,
    },
    list: {
      summary: "list the asks that wait for an answer, or others",
      load: async () => (await import("./commands/list.js")).define,
    },
    show: {
      summary: "show one ask with everything needed to decide",
      load: async () => (await import("./commands/show.js")).define,
    },
    audit: {
      summary: "show what happened to an ask: who did what, when and where",
      load: async () => (await import("./commands/audit.js")).define,
    },
    watch: {
      summary: "follow asks and answers live",
      load: async () => (await import("./commands/watch.js")).define,
    },
    answer: {
      summary: "answer the questions of an ask",
      load: async () => (await import("./commands/answer.js")).define,
    },
    approve: {
      summary: "approve the actions of an approval, all or some",
      load: async () => (await import("./commands/decide.js")).defineApprove,
    },
    reject: {
      summary: "reject the actions of an approval, all or some",
      load: async () => (await import("./commands/decide.js")).defineReject,
    },
    rules: {
      summary: "list and revoke remembered decisions",
      load: async () => (await import("./commands/rules.js")).define,
    },
    notifications: {
      summary: "show your notification settings, and mute an agent",
      load: async () => (await import("./commands/notifications.js")).define,
    },
    decline: {
      summary: "refuse to answer, one ask or all of an agent",
      load: async () => (await import("./commands/end.js")).defineDecline,
    },
    reply: {
      summary: "say something instead of choosing",
      load: async () => (await import("./commands/end.js")).defineReply,
    },
    withdraw: {
      summary: "take an ask back, as the agent that asked",
      load: async () => (await import("./commands/end.js")).defineWithdraw,
    },
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
    for (const [name, { summary, load }] of Object.entries(commands)) {
      const command = program.command(name).description(summary);
      if (name === typed) (await load())(command, context);
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
