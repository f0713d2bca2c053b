// The panes of docs/terminal.md: scenes at the form and the inbox, each at three sizes, between marks of the page.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../run.mjs";
import { AUTH, openPane } from "./pane.mjs";

/** The page that the panes are in. */
export const PANES_PAGE = "docs/terminal.md";

const SIZES = [
  [120, 40],
  [80, 24],
  [44, 18],
];

const QUESTIONS = {
  context:
    "## Sign-in\n\nThe API has **no** sign-in yet. About 40 people use it, most of them from the command line.\n\n- it must work without a browser\n- see [the notes](https://example.org/notes)",
  questions: [
    AUTH,
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
  { name: "inbox", title: "The inbox", inbox: true, begins: "4 questions are waiting", keys: ["j"] },
  { name: "reading", title: "Everything in full: `o`", ask: QUESTIONS, keys: ["o"] },
  {
    name: "plain",
    title: "Plain mode",
    ask: QUESTIONS,
    flags: ["--plain"],
    prompt: "(? for help):",
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

/** The page with the panes of today. */
export async function takePanes() {
  let page = readFileSync(join(root, PANES_PAGE), "utf8");
  for (const scene of SCENES) {
    const [begin, end] = marksOf(scene);
    const section = await takeScene(scene, page.slice(page.indexOf(begin), page.indexOf(end)));
    const [before, rest] = [page.slice(0, page.indexOf(begin)), page.slice(page.indexOf(end) + end.length)];
    page = `${before}${begin}\n\n${section}\n${end}${rest}`;
  }
  return page;
}

function marksOf({ name }) {
  return [`<!-- pane ${name} -->`, `<!-- end ${name} -->`];
}

async function takeScene(scene, saved) {
  // Opened for its scene alone: the ages of its asks are on the screen.
  const server = scene.inbox ? await openServer() : undefined;
  try {
    const panes = await Promise.all(
      SIZES.map(async ([columns, rows]) => {
        const head = `${columns}x${rows}:\n\n\`\`\`text\n`;
        const expected = saved.split(head)[1]?.split("\n```\n")[0];
        return `${head}${await takePane(scene, server, { columns, rows, expected })}\n\`\`\`\n`;
      }),
    );
    return `### ${scene.title}\n\n${panes.join("\n")}`;
  } finally {
    server?.close();
  }
}

/** A screen that is not the expected one has stood still for so long that it will not change any more. */
const STILL_MS = 10_000;
const USUAL_HOST = "127.0.0.1:4780";

/** The text of the screen after the keys were typed: at once where it is the expected one, else when it stands still. */
async function takePane({ ask, begins, keys, prompt, flags = [] }, server, { columns, rows, expected }) {
  const args =
    server === undefined ? ["ask", ...flags] : ["inbox", "--url", server.url, "--token", server.token];
  const host = server === undefined ? USUAL_HOST : new URL(server.url).host;
  const pane = openPane({ ask, args, columns, rows });
  try {
    await pane.type(keys, { begins, prompt });
    await pane.quiet(STILL_MS, expected?.replace(USUAL_HOST, host));
    return pane.text().replace(host, USUAL_HOST);
  } finally {
    await pane.close();
  }
}

/** A server with the asks of the inbox. They are some minutes old, and agents wait for two of them. */
async function openServer() {
  const { createHub, memoryStore } = await fromDist("hub");
  const { createAuth, createServer: createAskline } = await fromDist("server");
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
  const port = await listenOnFourDigits(http);
  return {
    url: `http://127.0.0.1:${port}`,
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

/** The panes show the address, which must be as long as that of the usual port. */
async function listenOnFourDigits(http) {
  for (;;) {
    const port = 5_000 + Math.floor(Math.random() * 5_000);
    const listening = new Promise((resolve, reject) => {
      http.once("listening", resolve).once("error", reject);
    });
    http.listen(port, "127.0.0.1");
    try {
      await listening;
      return port;
    } catch (error) {
      if (error.code !== "EADDRINUSE") throw error;
    }
  }
}

function fromDist(folder) {
  return import(pathToFileURL(join(root, "dist", folder, "index.js")).href);
}
