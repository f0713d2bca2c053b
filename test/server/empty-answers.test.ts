// "An empty answer settles nothing" (README), on every route and surface that can end an ask. A new one must be added to
// WAYS, or to the list of those that cannot end an ask by an answer: the tests at the end fail until it is.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { settleDangling } from "../../src/agents/frameworks/tools/index.js";
import { answerInCard } from "../../src/agents/mcp/cards.js";
import { formRound } from "../../src/agents/mcp/forms.js";
import { createStates } from "../../src/agents/mcp/states.js";
import { endingOf } from "../../src/agents/opencode/requests.js";
import { reportThere } from "../../src/agents/relay/port.js";
import { connect } from "../../src/client/index.js";
import {
  type AskInput,
  AsklineError,
  requireAsk,
  resolverOf,
  staticResolver,
  systemClock,
} from "../../src/index.js";
import { createForm } from "../../src/people/form/create-form.js";
import { updateForm } from "../../src/people/form/update.js";
import { openDialogue } from "../../src/people/terminal/dialogue.js";
import { localForm } from "../../src/people/terminal/local-form.js";
import { runPlainForm } from "../../src/people/terminal/plain/plain-form.js";
import { stdinResolver } from "../../src/people/terminal/stdin-resolver.js";
import { runHere } from "../cli/in-process.ts";
import { openScene } from "../client/gateway/open-scene.ts";
import { lines, screen } from "../people/terminal/streams.ts";
import { asks, auth, event, parts } from "./claude-hooks/hooks.ts";
import { openRaw } from "./gateway/raw-socket.ts";
import { call, closeServers, openServer, posted, type Reply, until } from "./open-server.ts";

afterEach(closeServers);

const ASK: AskInput = {
  questions: [
    { question: "A?", options: ["x", "y"] },
    { question: "B?", options: ["p", "q"], multiSelect: true },
  ],
  allowPartial: true,
};
const APPROVAL: AskInput = { approval: { actions: [{ name: "deploy", args: {} }] } };
const BY = { kind: "person", id: "ana", surface: "test" } as const;

/** Text that says nothing. */
const SILENCE = ["", " \n", "\u200b", "\u00ad", "\u2800", "\u3164", "\u2060\ufe0f"];
/** Bodies that say nothing, in our own shape. */
const NOTHING = [
  { answers: [] },
  { answers: [{ question: "q1" }] },
  { answers: [{ question: "q1", selected: [] }, { question: "q2" }] },
  ...SILENCE.map((text) => ({ answers: [{ question: "q1", text }] })),
  ...SILENCE.map((note) => ({ answers: [{ question: "q2", note }], note })),
];
/** Maps from question text to answer that say nothing where `""` is no skip. */
const EMPTY_MAPS = SILENCE.flatMap((text) => [{ "A?": text }, { "A?": text, "B?": text }]);

type Scene = Awaited<ReturnType<typeof opened>>;

async function opened() {
  const open = await openServer();
  const agent = await open.token({ name: "builder", reports: ["ana"] });
  const person = await open.token({ role: "person" });
  const ask = await posted(open, agent, ASK);
  const approval = await posted(open, agent, { questions: undefined, ...APPROVAL });
  const settled = { person: "ana", surface: "s", via: "builder" } as const;
  return { open, hub: open.hub, agent, person, ask, approval, settled };
}

interface Way {
  readonly name: string;
  /** The operations and source files that it goes through. */
  readonly through: readonly string[];
  /** Says nothing in every way it can, and resolves with what it was told each time. */
  tries(scene: Scene): Promise<readonly unknown[]>;
  /** What it is told; the issue `empty_answer` by default. */
  readonly told?: unknown;
}

const WAYS: readonly Way[] = [
  {
    name: "answer over HTTP",
    through: ["POST /v1/asks/{id}/answer", "src/server/api/endings.ts"],
    tries: ({ open, person, ask }) =>
      each(NOTHING, async (body) =>
        refused(await call(open, person, `POST /v1/asks/${ask.id}/answer`, body)),
      ),
    told: "422 empty_answer",
  },
  {
    name: "reply over HTTP",
    through: ["POST /v1/asks/{id}/reply"],
    tries: ({ open, person, ask }) =>
      each([{}, ...SILENCE.map((text) => ({ text }))], async (body) =>
        refused(await call(open, person, `POST /v1/asks/${ask.id}/reply`, body)),
      ),
    told: "422 empty_answer",
  },
  {
    name: "decide over HTTP",
    through: ["POST /v1/asks/{id}/decide"],
    tries: ({ open, person, approval }) =>
      each([{ decisions: [] }, { decisions: [], note: "fine" }], async (body) =>
        refused(await call(open, person, `POST /v1/asks/${approval.id}/decide`, body)),
      ),
    told: "422 missing_decision",
  },
  {
    name: "a report of an agent",
    through: ["POST /v1/asks/{id}/report"],
    tries: ({ open, agent, ask }) =>
      each(
        [...NOTHING.map((answer) => ({ answer })), ...SILENCE.map((text) => ({ reply: { text } }))],
        async (body) => refused(await call(open, agent, `POST /v1/asks/${ask.id}/report`, body)),
      ),
    told: "422 empty_answer",
  },
  {
    name: "a message to a session",
    through: ["POST /v1/sessions/{id}/messages", "src/agents/sessions/take-message.ts"],
    async tries({ open, agent, person }) {
      const messages = await inSession(open, agent);
      return each(messages, async (message) =>
        refused(await call(open, person, "POST /v1/sessions/s/messages", message)).replace(/^4(00|22) /, ""),
      );
    },
  },
  {
    name: "a message to a session over its socket",
    through: ["src/agents/sessions/take-message.ts"],
    async tries({ open, agent, person }) {
      const messages = await inSession(open, agent);
      const socket = await openRaw(open, { token: person, path: "/v1/sessions/s/stream" });
      return each(messages, async (message) => {
        socket.send(message);
        for (;;) {
          const frame = await socket.next();
          if (frame.type === "error") return codesOf((frame as { readonly error?: Problem }).error);
        }
      });
    },
  },
  {
    name: "an answer of a device at the gateway",
    through: ["src/server/gateway/answering.ts"],
    async tries({ open, person, ask }) {
      const device = await openRaw(open, { token: person });
      return each(EMPTY_MAPS, async (answers) => {
        device.send({ type: "hook.ask_user_answer", payload: { questionId: ask.id, answers } });
        for (;;) {
          const { type, payload } = await device.next();
          if (type === "rejection" || type === "ack") return codesOf(payload);
        }
      });
    },
  },
  {
    name: "an answer of a backend to the gateway's resolver",
    through: ["src/client/gateway/gateway-resolver.ts"],
    async tries() {
      const { backend, resolver, warnings } = await openScene();
      const outcome = resolver.ask({ questions: [{ question: "A?", options: ["x", "y"] }] });
      const plugin = await backend.plugin();
      const { questionId } = (await plugin.next()).payload.payload;
      const send = (answers: object): void =>
        plugin.send({ type: "hook.ask_user_answer", payload: { questionId, answers } });
      for (const text of SILENCE) send({ "A?": text });
      send({ "A?": "y" });
      expect(await outcome).toMatchObject({ kind: "answered", answers: [{ selected: ["o2"] }] });
      return warnings.map((warning) => (/nothing was answered/.test(warning) ? "empty_answer" : warning));
    },
  },
  {
    name: "Claude Code's own form, as its hook reports it",
    through: ["POST /v1/hooks/claude", "src/server/api/hooks.ts"],
    async tries({ open, agent, hub }) {
      const send = (body: unknown) => call(open, agent, "POST /v1/hooks/claude", body);
      return each([{}, { "Which auth?": "" }, { "Which auth?": "\u200b" }], async (answers) => {
        const known = new Set((await hub.list({})).asks.map(({ id }) => id));
        const held = send(event("PermissionRequest", asks(auth, parts)));
        const ask = await until(async () =>
          (await hub.list({})).asks.find(({ id }) => !known.has(id) && hub.isAwaited(id)),
        );
        const tool_input = { questions: [auth, parts], answers };
        await send(event("PostToolUse", { tool_name: "AskUserQuestion", tool_input }));
        await held;
        return (await hub.get(ask.id)).outcome?.kind;
      });
    },
    // The form there is closed, so nobody can answer any more; but nobody is said to have answered.
    told: "withdrawn",
  },
  {
    name: "a card in an MCP client (answer_ask)",
    through: ["POST /mcp", "src/agents/mcp/forms.ts"],
    async tries({ hub, ask }) {
      const options = mcpOptions(hub);
      const token = await options.states.sign({ for: "card", ask: ask.id });
      const bodies = [...NOTHING, ...SILENCE.map((text) => ({ reply: { text } })), {}];
      return each(bodies, async (body) => {
        const args = { ask: ask.id, token, ...body };
        return (await answerInCard({ args } as never, options)).isError;
      });
    },
    told: true,
  },
  {
    name: "the form of an MCP client",
    through: ["POST /mcp", "src/agents/mcp/forms.ts"],
    async tries({ hub, ask }) {
      const contents = [undefined, {}, ...SILENCE.map((text) => ({ q1: text, q1_other: text, q2: [] }))];
      return each(contents, async (content) => {
        const returned = { response: { action: "accept", content }, state: undefined };
        const form = { revision: "2026-07-28", returned } as const;
        const round = await formRound(ask, form, { args: {} } as never, mcpOptions(hub));
        return JSON.stringify(round).includes("nothing was answered") ? "empty_answer" : round;
      });
    },
  },
  {
    name: "the client",
    through: ["src/client/inbox.ts"],
    async tries({ open, person, ask }) {
      const client = connect({ url: open.url, token: person });
      onTestFinished(() => client.close());
      return [
        ...(await each(NOTHING, (body) => thrown(client.answer(ask.id, body)))),
        ...(await each(SILENCE, (text) => thrown(client.reply(ask.id, text)))),
      ];
    },
  },
  {
    name: "the hub",
    through: ["src/hub/asking/settling.ts"],
    tries: async ({ hub, ask, settled }) => [
      ...(await each(NOTHING, (body) => thrown(hub.answer(ask.id, body, { by: BY })))),
      ...(await each(SILENCE, (text) => thrown(hub.reply(ask.id, text, { by: BY })))),
      ...(await each(NOTHING, (answer) =>
        thrown(hub.report(ask.id, { type: "answer", ...answer }, settled)),
      )),
    ],
  },
  {
    name: "a resolver of a function",
    through: ["src/core/rules/resolvers.ts"],
    tries: () =>
      each(NOTHING, async ({ answers }) => {
        const codes = await each([resolverOf(() => answers), staticResolver(answers)], (resolver) =>
          thrown(resolver.ask(ASK)),
        );
        return codes[0] === codes[1] ? codes[0] : codes;
      }),
  },
  {
    name: "Send in a form with nothing chosen, as the card and the terminal drive it",
    through: [
      "src/people/form/live-form.ts",
      "src/people/web/card/port.ts",
      "src/people/web/live-element.ts",
      "src/people/react/ask-form.ts",
    ],
    tries: () =>
      each(SILENCE, async (text) => {
        const typed = { type: "type", field: "text", text, id: "q1" } as const;
        const noted = { type: "type", field: "overall", text } as const;
        const form = [typed, noted, { type: "submit" } as const].reduce(
          (state, each) => updateForm(state, each, 1),
          createForm(requireAsk(ASK), { surface: "test" }),
        );
        expect(form.phase.kind).toBe("open");
        return form.tried.length > 0 ? "empty_answer" : form;
      }),
  },
  {
    name: "the plain terminal",
    through: ["src/people/terminal/local-form.ts"],
    async tries() {
      const output = screen();
      const driver = localForm(requireAsk(ASK), { by: BY, clock: systemClock, onChange: () => undefined });
      const typed = [...SILENCE.filter((text) => !text.includes("\n")), "review", "send", "send"];
      const dialogue = openDialogue(lines(...typed), output.stream, undefined);
      await runPlainForm(driver, dialogue, { context: undefined, locale: "en" });
      dialogue.close();
      expect(output.text()).toContain("If you have no preference, skip the question.");
      return [driver.state.phase.kind];
    },
    told: "open",
  },
  {
    name: "lines on stdin",
    through: ["src/people/terminal/stdin-resolver.ts"],
    tries: () =>
      each(["", " ", "\u200b", "\u3164"], async (text) => {
        const output = screen();
        const resolver = stdinResolver({ input: lines(text, text, text), output: output.stream });
        return (await resolver.ask(ASK)).kind;
      }),
    // As the original: a blank line cancels the whole batch.
    told: "declined",
  },
  {
    name: "askline answer, decide and reply",
    through: ["src/cli/commands/answer.ts", "src/cli/commands/decide.ts", "src/cli/commands/end.ts"],
    async tries({ open, person, ask, approval }) {
      const env = { ASKLINE_URL: open.url, ASKLINE_TOKEN: person };
      const run = async (...args: readonly string[]) => (await runHere(args, { env })).code !== 0;
      return [
        ...(await each(SILENCE, (text) => run("answer", ask.id, `q1=${text}`))),
        ...(await each(SILENCE, (text) => run("answer", ask.id, "-q", "q1", "--text", text))),
        ...(await each(SILENCE, (text) => run("reply", ask.id, text))),
        await run("answer", ask.id),
        await run("answer", approval.id),
      ];
    },
    told: true,
  },
  {
    name: "opencode's own form, as its bridge reports it",
    through: [
      "src/agents/relay/port.ts",
      "src/cli/connect/local-reports.ts",
      "src/cli/connect/local-port.ts",
    ],
    tries: ({ hub, ask, settled }) =>
      each([[], [[], []], [["\u200b"], [""]]], (answers) => {
        const ending = endingOf("question.replied", { answers }, ask);
        if (ending === undefined) throw new Error("the event has no ending");
        const there = { surface: "opencode", person: "ana", via: settled.via };
        return thrown(reportThere(hub, ask, ending, there));
      }),
  },
  {
    name: "a message in a chat that replies to what is pending",
    through: ["src/agents/frameworks/tools/dangling.ts"],
    async tries({ hub }) {
      const asked = await hub.post({ ...ASK, session: "chat", key: "call_1" });
      const toolCall = {
        id: "call_1",
        type: "function",
        function: { name: "ask_user_question", arguments: "{}" },
      };
      return each(SILENCE, async (content) => {
        const messages = [
          { role: "assistant", content: null, tool_calls: [toolCall] },
          { role: "user", content },
        ];
        await settleDangling(messages, { inbox: hub, session: "chat", by: BY });
        return (await hub.get(asked.id)).status;
      });
    },
    told: "pending",
  },
];

/** Files and operations that say something by themselves, or say what the server has made, and why. */
const NOT_WALKED: Readonly<Record<string, string>> = {
  "src/server/api/actions.ts":
    "the submission is an option's, made by the server when it sent the notification",
  "POST /actions/{token}": "the same",
  "src/server/api/asks.ts": "`waits.reply` replies to a request, and ends no ask",
  "src/agents/relay/relay.ts": "`reply` makes what an agent is sent, and ends no ask",
  "src/agents/codex/bridge.ts": "the same",
  "src/agents/frameworks/ag-ui/run-agent.ts": "the same",
  "src/hub/asking/submitting.ts": "a remembered rule decides",
  "src/cli/demo/run-demo.ts": "the demo's own answers",
  "src/people/inbox/crowd-control.ts": "declining says no by itself",
  "src/agents/frameworks/ag-ui/park.ts": "in a test with its framework: test/agents/ag-ui-park.test.ts",
  "POST /v1/asks/{id}/decline": "declining says no by itself",
  "POST /v1/asks/{id}/withdraw": "an agent withdraws; no person is said to have spoken",
};

describe("an empty answer settles nothing", () => {
  it.each(WAYS)("$name", async ({ tries, told = "empty_answer" }) => {
    const scene = await opened();
    const results = await tries(scene);
    expect(results.length).toBeGreaterThan(0);
    expect(results).toEqual(results.map(() => told));
    for (const { id } of [scene.ask, scene.approval]) {
      expect((await scene.hub.get(id)).status).toBe("pending");
    }
  });

  it("is what a reason without words is not: a decline stands without one", async () => {
    const { open, person, hub } = await opened();
    for (const reason of SILENCE) {
      const { id } = await hub.post(ASK);
      await call(open, person, `POST /v1/asks/${id}/decline`, { reason });
      expect((await hub.get(id)).outcome).toEqual({ kind: "declined", by: { ...BY, surface: "api" } });
    }
  });
});

describe("every way to end an ask is walked", () => {
  const known = new Set([...WAYS.flatMap(({ through }) => through), ...Object.keys(NOT_WALKED)]);

  it("over HTTP: no operation that changes something is missing", async () => {
    const { open } = await opened();
    const { body } = await call(open, undefined, "GET /openapi.json");
    const { paths } = body as { readonly paths: Readonly<Record<string, object>> };
    const changing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => /^(post|put|patch|delete)$/.test(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(changing).toContain("POST /v1/asks/{id}/answer");
    expect(changing.filter((operation) => !known.has(operation) && !ENDS_NONE.has(operation))).toEqual([]);
  });

  it("in the code: no file that ends an ask is missing", () => {
    const root = join(import.meta.dirname, "../..");
    const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/^(core|testing)\//.test(name))
      .map((name) => `src/${name}`)
      .filter((name) => ENDING_CALL.test(readFileSync(join(root, name), "utf8")));
    expect(files).toContain("src/people/form/live-form.ts");
    expect(files.filter((name) => !known.has(name))).toEqual([]);
  });
});

/** A call of a method of an inbox that ends an ask. */
const ENDING_CALL = /(?<!\* .*)\.(settle|answer|decide|decline|reply|report)\(/;

/** Operations that change something, and end no ask. */
const ENDS_NONE: ReadonlySet<string> = new Set([
  "POST /v1/asks",
  "POST /v1/asks/{id}/resume",
  "PUT /v1/asks/{id}/draft",
  "POST /v1/asks/{id}/opened",
  "POST /v1/asks/{id}/links",
  "POST /v1/asks/{id}/reassign",
  "DELETE /v1/people/{id}",
  "DELETE /v1/devices/{id}",
  "POST /v1/tokens",
  "DELETE /v1/tokens/{id}",
  "PUT /v1/push",
  "DELETE /v1/push",
  "PUT /v1/notifications",
  "PUT /v1/focus",
  "POST /v1/tickets",
  "POST /v1/sessions/{id}/events",
  "DELETE /v1/rules/{id}",
  "POST /login",
  "POST /logout",
  // Gone: these answer with 410 (test/server/pages/without-script.test.ts).
  ...["answer", "decide", "decline", "reply"].flatMap((ending) => [
    `POST /asks/{id}/${ending}`,
    `POST /a/{link}/${ending}`,
  ]),
]);

interface Problem {
  readonly issues?: readonly { readonly code: string }[];
}

/** One after the other, so that each finds the ask as the one before has left it. */
async function each<T, R>(items: readonly T[], run: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}

function codesOf(problem: Problem | undefined): string {
  return [...new Set(problem?.issues?.map(({ code }) => code))].join(" ");
}

function refused({ status, body }: Reply): string {
  return `${status} ${codesOf(body.error)}`;
}

async function thrown(ending: Promise<unknown>): Promise<unknown> {
  try {
    return await ending;
  } catch (error) {
    if (!(error instanceof AsklineError)) throw error;
    return codesOf(error);
  }
}

/** A question in a session, and the messages to it that say nothing. */
async function inSession(open: Scene["open"], agent: string): Promise<readonly object[]> {
  await call(open, agent, "POST /v1/sessions/s/events", { type: "open" });
  const { status } = await call(open, agent, "POST /v1/sessions/s/events", {
    type: "ask",
    questions: ASK.questions,
  });
  expect(status).toBe(201);
  return [
    ...[{}, ...EMPTY_MAPS].map((answers) => ({ type: "approval", approval_key: "s_1", answers })),
    ...SILENCE.map((text) => ({ type: "message", text })),
  ];
}

function mcpOptions(hub: Scene["hub"]) {
  const port = { ...hub, get: hub.get, report: hub.report };
  return {
    port,
    person: "ana",
    trustClient: true,
    hasInbox: true,
    states: createStates(undefined),
  } as never as Parameters<typeof answerInCard>[1];
}
