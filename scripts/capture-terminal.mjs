// Captures the panes of docs/terminal.md: runs the built command in a real pseudo-terminal, types, and writes what is
// on the screen between the marks of the page. Run it after a build when the form looks different:
//
//   npm run build && node scripts/capture-terminal.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { root } from "./run.mjs";

const SIZES = [
  [120, 40],
  [80, 24],
  [44, 18],
];

const QUESTIONS = {
  context:
    "## Sign-in\n\nThe API has **no** sign-in yet. About 40 people use it, most of them from the command line.\n\n- it must work without a browser\n- see [the notes](https://example.org/notes)",
  questions: [
    {
      question: "Which authentication should the API use?",
      header: "Auth",
      options: [
        {
          label: "OAuth",
          description: "People sign in with an account that they have",
          recommended: true,
          preview:
            '```ts\nauth({ kind: "oauth" })\n```\n\n1. a browser opens\n2. they confirm\n3. the command goes on',
        },
        {
          label: "API key",
          description: "One secret for each client, replaced by hand",
          preview: '```ts\nauth({ kind: "key" })\n```\n\nKeys are replaced by hand.',
        },
        { label: "mTLS", description: "Certificates on both sides" },
      ],
    },
    {
      question: "Which stores should be supported at first?",
      header: "Stores",
      multiSelect: true,
      maxPicks: 3,
      options: [
        { label: "SQLite", description: "One file" },
        { label: "PostgreSQL", description: "Shared by several servers" },
        { label: "Memory", description: "For tests" },
      ],
    },
    { question: "What should it be called?", header: "Name" },
  ],
};

const APPROVAL = {
  approval: {
    actions: [
      {
        name: "deploy",
        description: "Puts the new version live for everybody.",
        args: { service: "api", to: "production", replicas: 3 },
      },
    ],
  },
};

const MULTI = ["\t", "1", "4", "Redis, perhaps"];
const SCENES = [
  { name: "single", title: "One choice, with a preview", ask: QUESTIONS, keys: [] },
  { name: "multi", title: "Several choices and own words", ask: QUESTIONS, keys: MULTI },
  {
    name: "review",
    title: "The review",
    ask: QUESTIONS,
    keys: ["2", ...MULTI, "\t", "Gate", "\r"],
  },
  { name: "approval", title: "An approval", ask: APPROVAL, keys: [] },
  { name: "inbox", title: "The inbox", inbox: true, keys: ["j"] },
  { name: "reading", title: "Everything in full: `o`", ask: QUESTIONS, keys: ["o"] },
  {
    name: "plain",
    title: "Plain mode",
    ask: QUESTIONS,
    flags: ["--plain"],
    keys: ["\r", "preview 2\r", "api key\r"],
  },
];

const INBOX = [
  { ...QUESTIONS, session: "sign-in", agentId: "builder", metadata: { project: "gate" } },
  { ...APPROVAL, session: "release-42", agentId: "shipper", timeoutMs: 45 * 60_000, awaited: true },
  {
    questions: [
      {
        question:
          "May I remove the branches that were merged before October, 14 of them, and close the 3 issues that only they mention?",
        options: ["Yes", "No"],
      },
    ],
    session: "cleanup",
    agentId: "janitor",
    awaited: true,
  },
  { questions: [{ question: "Which name should the command have?" }], agentId: "planner" },
];

const server = await openServer();
const page = join(root, "docs/terminal.md");
let text = readFileSync(page, "utf8");
for (const scene of SCENES) {
  const panes = [];
  for (const [columns, rows] of SIZES) {
    const lines = await capture(scene, columns, rows);
    panes.push(`${columns}x${rows}:\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\`\n`);
    console.log(`--- ${scene.name} ${columns}x${rows}\n${lines.join("\n")}`);
  }
  const [begin, end] = [`<!-- pane ${scene.name} -->`, `<!-- end ${scene.name} -->`];
  const at = text.indexOf(begin);
  const section = `${begin}\n\n### ${scene.title}\n\n${panes.join("\n")}\n${end}`;
  text =
    at < 0
      ? `${text.trimEnd()}\n\n${section}\n`
      : text.slice(0, at) + section + text.slice(text.indexOf(end) + end.length);
}
writeFileSync(page, text);
server.close();

/** The lines on the screen after the keys were typed. */
async function capture({ ask, inbox, keys, flags = [] }, columns, rows) {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const command = inbox
    ? `"$NODE" "$ASKLINE" inbox --url ${server.url} --token ${server.token}`
    : `printf '%s' "$ASK" | "$NODE" "$ASKLINE" ask ${flags.join(" ")} >/dev/null`;
  const terminal = spawn("/bin/sh", ["-c", command], {
    cols: columns,
    rows,
    cwd: root,
    env: {
      PATH: process.env.PATH,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      NODE: process.execPath,
      ASKLINE: join(root, "dist/bin/askline.js"),
      ASK: JSON.stringify(ask ?? {}),
    },
  });
  let heard = 0;
  terminal.onData((data) => {
    heard = Date.now();
    screen.write(data);
  });
  const ended = new Promise((resolve) => terminal.onExit(resolve));
  await quiet(() => heard, 1_500);
  for (const key of keys) {
    terminal.write(key);
    await quiet(() => heard, 250);
  }
  await new Promise((resolve) => screen.write("", resolve));
  const buffer = screen.buffer.active;
  const lines = Array.from({ length: rows }, (_, row) =>
    (buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "").trimEnd(),
  );
  while (lines.at(-1) === "") lines.pop();
  terminal.write("\u0003");
  await ended;
  screen.dispose();
  return lines;
}

/** Resolves when something was heard, and then nothing for this long. */
async function quiet(heard, milliseconds) {
  const started = Date.now();
  while (Date.now() - started < milliseconds || Date.now() - heard() < 200) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A server with the asks of the inbox. They are some minutes old, and agents wait for two of them. */
async function openServer() {
  const { createHub } = await import(join(root, "dist/hub/index.js"));
  const { memoryStore } = await import(join(root, "dist/hub/index.js"));
  const { createAuth, createServer: createAskline } = await import(join(root, "dist/server/index.js"));
  let behind = 47 * 60_000;
  const monotonic = () => performance.now() - behind;
  const clock = { now: () => performance.timeOrigin + monotonic(), monotonic, schedule };
  const store = memoryStore();
  const hub = await createHub({ store, clock });
  for (const { awaited, ...ask } of INBOX) {
    const { id } = await hub.post(ask, { asker: "local" });
    if (awaited) void hub.wait(id).catch(() => undefined);
    behind -= 11 * 60_000;
  }
  const auth = createAuth({ records: store.records, now: Date.now });
  const { token } = await auth.createToken({ role: "person", name: "ana" });
  const http = createServer();
  createAskline({ hub, auth }).attach(http);
  await new Promise((resolve) => http.listen(4780, "127.0.0.1", resolve));
  return {
    url: "http://127.0.0.1:4780",
    token,
    close() {
      http.closeAllConnections();
      http.close();
      void hub.close();
    },
  };
}

function schedule(delay, task) {
  const timer = setTimeout(task, delay);
  return () => clearTimeout(timer);
}
