import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { type Client, connect } from "../../src/client/index.js";

const PROGRAM = fileURLToPath(new URL("./server-process.mjs", import.meta.url));
const quiet = { warn: () => undefined, error: () => undefined };

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly agent: string;
  readonly ana: string;
}

it("asks every ask once and gets its answer while the server is killed again and again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "askline-killed-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "askline.db");
  const first = await start(path, 0);
  const url = `http://127.0.0.1:${first.port}`;
  const agent = open(url, first.agent);
  const ana = open(url, first.ana);
  const kill = async ({ child }: Started): Promise<void> => {
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
  };

  const questions = (number: number) => [{ question: `Number ${number}?` }];
  const ask = (number: number) => agent.ask({ questions: questions(number), session: `s${number}` });
  const reached = new Set<string>();
  const positions: number[] = [];
  const reading = (async () => {
    for await (const { position, ask: asked } of ana.events({ after: 0 })) {
      positions.push(position);
      if (asked?.status === "answered") reached.add(asked.session);
      if (reached.size === 12) return;
    }
  })();

  // Four are asked and waited for; then the server dies.
  const outcomes = [1, 2, 3, 4].map(ask);
  await pendingOf(ana, 4);
  await kill(first);
  // Four are asked of no server at all.
  outcomes.push(...[5, 6, 7, 8].map(ask));
  const second = await start(path, first.port);
  await pendingOf(ana, 8);
  // Four are on their way, some stored and some not, when it dies again; the answers too.
  outcomes.push(...[9, 10, 11, 12].map(ask));
  const answering = answerAll(ana, 12);
  await kill(second);
  const third = await start(path, first.port);
  await answering;

  const texts = (await Promise.all(outcomes)).map((outcome) =>
    outcome.kind === "answered" ? outcome.answers[0]?.text : outcome.kind,
  );
  expect(texts).toEqual(Array.from({ length: 12 }, (_, index) => `It is ${index + 1}.`));
  await reading;
  expect(positions).toEqual(positions.map((_, index) => index + 1));
  expect((await ana.list({}, { limit: 100 })).asks).toHaveLength(12);
  await kill(third);
});

function open(url: string, token: string): Client {
  const client = connect({ url, token, logger: quiet });
  onTestFinished(() => client.close());
  return client;
}

/** Starts the server and reads where it listens. It is killed after the test if it is still there. */
async function start(path: string, port: number): Promise<Started> {
  const child = spawn(process.execPath, [PROGRAM, path, String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit").then(([code]) => {
    throw new Error(`the server ended with ${code}`);
  });
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), exited]);
  // It will be killed, and nobody asks any more how it ended.
  exited.catch(() => undefined);
  return { child, ...JSON.parse(line) };
}

/** Resolves once so many asks are pending. */
async function pendingOf(inbox: Client, count: number): Promise<void> {
  const ids = new Set<string>();
  for await (const { id } of inbox.watch()) if (ids.add(id).size === count) return;
}

/** Answers every ask with its number, until so many are answered. */
async function answerAll(inbox: Client, count: number): Promise<void> {
  const answers = new Map<string, Promise<unknown>>();
  for await (const { id, status, questions } of inbox.watch()) {
    if (status !== "pending" || answers.has(id)) continue;
    const number = questions[0]?.question.match(/\d+/)?.[0];
    answers.set(id, inbox.answer(id, { answers: [{ question: "q1", text: `It is ${number}.` }] }));
    if (answers.size === count) break;
  }
  await Promise.all(answers.values());
}
