import type { Command } from "commander";
import type { DemoFlags } from "../commands/demo.js";
import type { ServeFlags } from "../commands/serve.js";
import { collect, type Define, examples, withDatabase, withRemote } from "./context.js";

export const defineServing: Define = (program, { world, end }) => {
  withDatabase(program.command("serve").description("serve asks over HTTP, with an inbox page"))
    .option("--host <host>", "where to listen (ASKLINE_HOST; 127.0.0.1)")
    .option("--port <port>", "0 takes any that is free (ASKLINE_PORT; 4780)")
    .option("--person <id>", "whose token a first start makes (ASKLINE_PERSON; your user name)")
    .option("--public-url <url>", "where it is reached from outside (ASKLINE_PUBLIC_URL)")
    .option(
      "--allowed-host <name>",
      "a further host name to answer to; repeat it (ASKLINE_ALLOWED_HOSTS)",
      collect,
    )
    .option(
      "--trusted-proxy <address>",
      "a proxy, or a range of them, whose x-forwarded-for is believed; repeat it (ASKLINE_TRUSTED_PROXIES)",
      collect,
    )
    .option(
      "--limit <name=number>",
      "another bound than the usual, such as tokenRate=100; repeat it (ASKLINE_LIMITS)",
      collect,
    )
    .option("--log-format <format>", "json or text (ASKLINE_LOG_FORMAT; text at a terminal, otherwise json)")
    .option(
      "--log-level <level>",
      "debug, info, warn, error or silent (ASKLINE_LOG_LEVEL; warn at a terminal, otherwise info)",
    )
    .option("--metrics-token <token>", "what opens /metrics, beside an admin's (ASKLINE_METRICS_TOKEN)")
    .option("--demo", "have a scripted agent ask something")
    .addHelpText("after", SERVE_HELP)
    .action(async (_flags, command: Command) => {
      const { runServe } = await import("../commands/serve.js");
      // What is repeated is named in the singular as a flag, and in the plural as a setting.
      const { allowedHost, trustedProxy, limit, ...flags } = command.optsWithGlobals();
      const given = {
        ...flags,
        ...(allowedHost !== undefined && { allowedHosts: allowedHost }),
        ...(trustedProxy !== undefined && { trustedProxies: trustedProxy }),
        ...(limit !== undefined && { limits: limit }),
      };
      end(await runServe(given as ServeFlags, world));
    });

  withDatabase(program.command("inbox").description("print a new link that opens the inbox in a browser"))
    .option("--url <url>", "where the server is reached (ASKLINE_URL; otherwise this machine)")
    .option("--person <id>", "whose inbox (ASKLINE_PERSON; your user name)")
    .addHelpText(
      "after",
      `\nThe link works once, within ten minutes.\n${examples("askline inbox", "askline inbox --person ana")}`,
    )
    .action(async (_flags, command: Command) => {
      const { runInbox } = await import("../commands/inbox.js");
      end(await runInbox(command.optsWithGlobals(), world));
    });

  withRemote(program.command("demo").description("be a scripted agent that asks five times through a server"))
    .option("--answer-all", "let a scripted person answer everything at once")
    .option("--session", "be a conversation instead: groups of tool calls, and two questions")
    .addHelpText(
      "after",
      examples("askline demo", "askline serve --demo", "askline demo --answer-all", "askline demo --session"),
    )
    .action(async (_flags, command: Command) => {
      const { runDemoCommand } = await import("../commands/demo.js");
      end(await runDemoCommand(command.optsWithGlobals() as DemoFlags, world));
    });
};

const SERVE_HELP = `
The first start makes a token for agents and one for you, and writes them to credentials.json in the data
folder; the other commands find them there. Other machines are let in only by tokens that you make with
"askline token create". Settings may also stand in askline.config.json: flags come before the environment, the
environment before the file.
${examples(
  "askline serve",
  "askline serve --db sqlite:./asks.db --port 5000",
  "ASKLINE_DB=postgres://localhost/askline askline serve",
  "askline serve --host 0.0.0.0 --public-url https://ask.example.com",
)}`;
