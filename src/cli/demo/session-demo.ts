// The demo agent as a conversation: two groups of tool calls, each ending with a question, and a final text. The
// session's stream shows it live; its history shows it afterwards.

import { randomBytes } from "node:crypto";
import type { Client } from "../../client/connect.js";
import type { QuestionInput } from "../../core/model/question.js";
import type { SessionWriter } from "../../core/model/session-writer.js";
import { hang } from "../../people/cells/wrap.js";
import { headersPath } from "../connect/credentials.js";
import { curlLine, shellQuote } from "../output/answer-hint.js";
import { jsonText } from "../output/print.js";
import type { World } from "../world/world.js";
import { DEMO_AGENT } from "./run-demo.js";

export interface SessionDemoOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly stdout: World["stdout"];
  readonly json: boolean;
  readonly columns: number | undefined;
  readonly url: string;
  readonly dataFolder: string;
}

interface Round {
  readonly tools: readonly { readonly name: string; readonly message: string }[];
  readonly question: Omit<QuestionInput, "options"> & {
    readonly options: readonly { readonly label: string }[];
  };
}

const ROUNDS: readonly Round[] = [
  {
    tools: [
      { name: "read_orders", message: "Reading last month's orders" },
      { name: "write_todos", message: "Preparing the first question" },
    ],
    question: {
      question: "What should the report be about?",
      header: "Report",
      options: [{ label: "Revenue (Recommended)" }, { label: "Returned goods" }],
    },
  },
  {
    tools: [{ name: "analyze_orders", message: "Adding up the orders" }],
    question: {
      question: "Who should get it?",
      header: "Readers",
      multiSelect: true,
      options: [{ label: "Sales" }, { label: "Warehouse" }, { label: "Everybody" }],
    },
  },
];

/** Resolves to true when finished, to false if the signal ended it. */
export async function runSessionDemo(options: SessionDemoOptions): Promise<boolean> {
  const { client, signal, url } = options;
  const sessionId = `demo-${randomBytes(4).toString("hex")}`;
  const { say, hint } = outputOf(options);
  const session = await client.openSession({ sessionId, agentId: DEMO_AGENT });
  const base = `${url}/v1/sessions/${sessionId}`;
  say(
    { type: "opened", session: sessionId },
    `this is session ${sessionId}. Open it in a browser that is signed in:`,
  );
  hint(`  ${url}/chat/${sessionId}`);
  hint("or follow it here:");
  hint(`  curl -sSN -H ${shellQuote(`@${headersOf(options)}`)} ${shellQuote(`${base}/stream?after=0`)}`);
  await session.user("Write me a report.");
  for (const [index, round] of ROUNDS.entries()) {
    await work(session, round, index + 1);
    const { question, options: choices } = round.question;
    const { approvalKey, outcome, text } = await session.ask([round.question], {
      key: `question-${index + 1}`,
      signal,
      onAsked({ approvalKey: approval_key }) {
        const labels = choices.map(({ label }) => label).join(" / ");
        say({ type: "asked", approval_key, question }, `${question} ${labels}`);
        const answers = { [question]: choices[0]?.label };
        hint(
          `  ${curlLine(headersOf(options), `${base}/messages`, { type: "approval", approval_key, answers })}`,
        );
      },
    });
    if (signal.aborted) return false;
    say({ type: "ended", approval_key: approvalKey, outcome }, text);
  }
  await session.text("Thank you. The report would be on its way.", { final: true });
  say({ type: "finished", session: sessionId }, "that was the last question. The whole session:");
  hint(`  curl -sS -H ${shellQuote(`@${headersOf(options)}`)} ${shellQuote(`${base}/history`)}`);
  return true;
}

async function work(session: SessionWriter, { tools }: Round, number: number): Promise<void> {
  await session.thinking(`What do I need for question ${number}?`);
  for (const [index, tool] of tools.entries()) {
    const id = `tool-${number}-${index + 1}`;
    await session.toolUse({ id, ...tool });
    await session.toolResult({ id });
  }
}

function headersOf({ dataFolder, url }: SessionDemoOptions): string {
  return headersPath(dataFolder, url, "person");
}

/** `say` prints an event as text or as JSON; `hint` prints a line to copy, only in text. */
function outputOf({ stdout, json, columns }: SessionDemoOptions): {
  readonly say: (event: object, text: string) => void;
  readonly hint: (line: string) => void;
} {
  return {
    say(event, text) {
      stdout.write(`${json ? jsonText(event, stdout) : hang(`${DEMO_AGENT}: `, text, columns)}\n`);
    },
    hint(line) {
      if (!json) stdout.write(`${line}\n`);
    },
  };
}
