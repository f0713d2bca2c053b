// A web app whose model asks, and whose front end answers with POST /api/answers: a map from the text of each question
// to its answer. The usual way is a promise in memory that the request completes. Here the question is an ask, so a
// wrong answer is refused and the question stays open, the second answer loses, and the time limit is the ask's own.
//
//   node examples/web-handler/main.mjs

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { AsklineError, createAskTool } from "askline";
import { answersMap } from "askline/dialects/answers-map";
import { createHub, memoryStore } from "askline/hub";

const MINUTES = 60_000;
const hub = await createHub({ store: memoryStore() });

/** Waits for the person; what it returns goes to the model. */
async function handleQuestions(questions) {
  const decoded = answersMap.decodeAsk(questions);
  assert.ok(decoded.ok);
  const outcome = await hub.ask({ ...decoded.ask, timeoutMs: 5 * MINUTES });
  const encoded = answersMap.encodeOutcome(decoded.ask, outcome);
  if (!encoded.ok) throw new AsklineError("aborted", `nobody answered: ${outcome.kind}`);
  return encoded.output;
}
const tool = createAskTool({ handler: handleQuestions });

// The front end: GET /api/questions shows what is open, POST /api/answers answers it.

const http = createServer(async (request, response) => {
  const reply = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  try {
    const [ask] = (await hub.list({ status: "pending" })).asks;
    if (request.method === "GET" && request.url === "/api/questions") return reply(200, ask?.questions ?? []);
    if (request.method !== "POST" || request.url !== "/api/answers") return reply(404, {});
    if (ask === undefined) return reply(409, { error: "no question is open" });
    const by = { kind: "person", id: "ana", surface: "web" };
    const decoded = answersMap.decodeOutcome(ask, JSON.parse(await textOf(request)), { by });
    if (!decoded.ok) return reply(422, { issues: decoded.issues });
    await hub.answer(ask.id, { answers: decoded.outcome.answers }, { by });
    return reply(200, {});
  } catch (error) {
    const isLate = error instanceof AsklineError && error.code === "already_settled";
    return reply(isLate ? 409 : 400, { error: error.message });
  }
});

async function textOf(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

// A model asks, and a person answers.

const LIBRARY = "Which library should we use?";
const FEATURES = "Which features do you want?";
const input = {
  questions: [
    {
      question: LIBRARY,
      header: "Library",
      options: [
        { label: "Day.js", description: "Light" },
        { label: "date-fns", description: "Functions to pick from" },
      ],
      multiSelect: false,
    },
    {
      question: FEATURES,
      header: "Features",
      options: [
        { label: "Authentication", description: "People sign in" },
        { label: "Database", description: "Data is kept" },
      ],
      multiSelect: true,
    },
  ],
};

http.listen(0, "127.0.0.1");
await once(http, "listening");
const url = `http://127.0.0.1:${http.address().port}`;
const post = async (answers) => {
  const body = JSON.stringify(answers);
  return (await fetch(`${url}/api/answers`, { method: "POST", body })).status;
};

try {
  const calling = tool.execute(input, { toolCallId: "call_1" });
  let shown = [];
  while (shown.length === 0) shown = await (await fetch(`${url}/api/questions`)).json();
  assert.deepEqual(
    shown.map(({ question }) => question),
    [LIBRARY, FEATURES],
  );

  assert.equal(await post({ "Which one?": "Day.js" }), 422, "an answer to another question is refused");
  const answers = { [LIBRARY]: "Luxon, please", [FEATURES]: "Authentication, Database" };
  const statuses = await Promise.all([post(answers), post({ ...answers, [LIBRARY]: "date-fns" })]);
  assert.deepEqual(statuses.toSorted(), [200, 409], "of two answers, one counts");

  const { text, isError } = await calling;
  assert.equal(isError, false);
  const library = statuses[0] === 200 ? "Luxon, please" : "date-fns";
  assert.equal(
    text,
    `User has answered your questions: ${JSON.stringify({ ...answers, [LIBRARY]: library })}`,
  );
  assert.equal(await post(answers), 409, "nothing is open any more");
  console.log(text);
} finally {
  http.closeAllConnections();
  http.close();
  await hub.close();
}
