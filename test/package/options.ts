// docs/options.md and docs/errors.md, from the interfaces in the sources and the comments of their members.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Comment, parseSync } from "oxc-parser";
import { ERROR_CODES, meaningOf } from "../../src/core/model/error.js";

/** Each function with the interfaces of its options. */
const FUNCTIONS = [
  {
    call: "createAskTool({ resolver })",
    from: "askline",
    about: "The tool that lets a model ask ([architecture](architecture.md#one-ask-step-by-step)).",
    options: [["src/agents/tool/ask-tool.ts", "ResolverToolOptions"]],
  },
  {
    call: "createAskTool({ handler })",
    from: "askline",
    about: "The same tool over a function of yours that asks, with answers as a map. It stores nothing.",
    options: [["src/agents/tool/handler-tool.ts", "HandlerToolOptions"]],
  },
  {
    call: "connect(options?)",
    from: "askline/client",
    about: "A Resolver and an Inbox over HTTP ([client](client.md)).",
    options: [["src/client/connect.ts", "ConnectOptions"]],
  },
  {
    call: "createHub(options)",
    from: "askline/hub",
    about: "A Resolver and an Inbox over a store, in your process.",
    options: [["src/hub/seam/port.ts", "HubOptions"]],
  },
  {
    call: "limits of createHub",
    from: "",
    about: "All are optional.",
    options: [["src/hub/seam/port.ts", "HubLimits"]],
  },
  {
    call: "createServer(options)",
    from: "askline/server",
    about:
      "HTTP, events, the gateway and the pages for a hub. Its `limits` are in [limits](limits.md#a-server).",
    options: [
      ["src/server/server.ts", "ServerOptions"],
      ["src/server/access/hosts.ts", "HostOptions"],
    ],
  },
  {
    call: "listen(server, options)",
    from: "askline/server",
    about:
      "Listens on a port. To use your own HTTP server, call `server.attach`, `server.fetch` or `server.node`.",
    options: [["src/server/listen.ts", "ListenOptions"]],
  },
  {
    call: "sqliteStore(options)",
    from: "askline/sqlite",
    about: "A store in one file, which several processes of one machine may share.",
    options: [["src/hub/stores/sqlite/sqlite-store.ts", "SqliteStoreOptions"]],
  },
  {
    call: "postgresStore(options)",
    from: "askline/postgres",
    about:
      "A store in PostgreSQL 13 or newer, for several machines. Needs the package `pg`, and either `url` or `pool`, a pool of `pg` that you configure and close yourself.",
    options: [["src/hub/stores/postgres/database/options.ts", "PostgresSettings"]],
  },
] as const;

export function optionsText(root: string): string {
  const sections = FUNCTIONS.flatMap(({ call, from, about, options }) => [
    from === "" ? `### ${call[0]?.toUpperCase()}${call.slice(1)}` : `## \`${call}\``,
    from === "" ? about : `From \`${from}\`. ${about}`,
    [
      "| option | type | meaning |",
      "|---|---|---|",
      ...options.flatMap(([path, name]) => membersOf(join(root, path), name).map(rowOf)),
    ].join("\n"),
  ]);
  return `${[
    "# Options",
    "The options of the main functions, generated from their types (`node scripts/write-reference.mjs`). An option without *required* may be omitted. Your editor shows the same texts.",
    ...sections,
  ].join("\n\n")}\n`;
}

const RETRIES = {
  never: "no",
  fixed: "after a fix",
  here: "later",
  elsewhere: "at another server, or later",
} as const;
const FIXERS = { caller: "the caller", server: "the operator", nobody: "nobody" } as const;

export function errorsText(root: string): string {
  const meanings = tableComments(join(root, "src/core/model/error.ts"), "MEANINGS");
  const rows = ERROR_CODES.map((code) => {
    const { status, fault, retry, exit = 1 } = meaningOf(code);
    const cells = [`\`${code}\``, meanings.get(code) ?? "", status, FIXERS[fault], RETRIES[retry], exit];
    return `| ${cells.join(" | ")} |`;
  });
  return `${[
    "# Errors",
    "Every code, generated from the table that the code uses (`node scripts/write-reference.mjs`). In TypeScript it is `code` of an `AsklineError`; over HTTP it is `error.code` of the [body](http.md#errors); with `--json` a command prints it on stderr. A person who declines, or a deadline that passes, is not an error but an [outcome](reference.md#an-outcome).",
    ["| code | meaning | HTTP | who fixes it | retry | exit |", "|---|---|---|---|---|---|", ...rows].join(
      "\n",
    ),
    "`exit` is the exit code of a command that ends with this error; `askline ask` has [codes of its own](cli.md#exit-codes) for outcomes. Our [client](client.md) retries by itself where the table says *later*.",
  ].join("\n\n")}\n`;
}

interface Member {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly about: string;
}

function rowOf({ name, type, required, about }: Member): string {
  const shown = `\`${type}\`${required ? ", required" : ""}`.replaceAll("|", "\\|");
  return `| \`${name}\` | ${shown} | ${about.replaceAll("|", "\\|")} |`;
}

function membersOf(path: string, name: string): readonly Member[] {
  const { text, body, comments } = parse(path);
  for (const statement of body) {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "TSInterfaceDeclaration" || declared.id.name !== name) continue;
    return declared.body.body.flatMap((member) => {
      if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier") return [];
      const written = member.typeAnnotation?.typeAnnotation;
      const type = written === undefined ? "" : text.slice(written.start, written.end);
      return [
        {
          name: member.key.name,
          type: type.replaceAll(/\s+/g, " ").replace(/ \| undefined$/, ""),
          required: !member.optional,
          about: commentBefore(text, comments, member.start),
        },
      ];
    });
  }
  throw new Error(`${path} has no interface ${name}`);
}

/** The comments of the properties of a constant object. */
function tableComments(path: string, name: string): ReadonlyMap<string, string> {
  const { text, body, comments } = parse(path);
  for (const statement of body) {
    if (statement.type !== "VariableDeclaration") continue;
    const [declarator] = statement.declarations;
    if (declarator?.id.type !== "Identifier" || declarator.id.name !== name) continue;
    const { init } = declarator;
    const object = init?.type === "TSAsExpression" ? init.expression : init;
    if (object?.type !== "ObjectExpression") continue;
    return new Map(
      object.properties.flatMap((property) =>
        property.type === "Property" && property.key.type === "Identifier"
          ? [[property.key.name, commentBefore(text, comments, property.start)]]
          : [],
      ),
    );
  }
  throw new Error(`${path} has no ${name}`);
}

function parse(path: string) {
  const text = readFileSync(path, "utf8");
  const { program, comments } = parseSync(path, text);
  return { text, body: program.body, comments };
}

function commentBefore(text: string, comments: readonly Comment[], start: number): string {
  const comment = comments.find(
    ({ type, end }) => type === "Block" && end <= start && text.slice(end, start).trim() === "",
  );
  return (comment?.value ?? "")
    .replaceAll(/^\s*\*+ ?/gm, "")
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .replaceAll(/\s+/g, " ")
    .trim();
}
