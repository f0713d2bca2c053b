import { afterEach, describe, expect, it } from "vitest";
import { call, closeServers, type OpenServer, openServer, posted, question, yes } from "../open-server.js";
import {
  answerHook,
  DATABASE,
  type Envelope,
  FEATURES,
  openRaw,
  questionEvent,
  type RawSocket,
} from "./raw-socket.js";

afterEach(closeServers);

async function device(server: OpenServer, person = "ana", more: object = {}): Promise<RawSocket> {
  return openRaw(server, { token: await server.token({ role: "person", name: person, ...more }) });
}

function idsOf(messages: readonly Envelope[]): readonly string[] {
  return messages.map(({ payload }) => payload.payload.questionId ?? payload.payload.executionId);
}

describe("a device", () => {
  it("gets all pending asks, then new ones", async () => {
    const server = await openServer();
    const token = await server.token();
    const first = await posted(server, token);
    const second = await posted(server, token, { key: "call_2" });
    const ended = await posted(server, token);
    await server.hub.withdraw(ended.id);
    const ana = await device(server);
    expect(idsOf([await ana.next(), await ana.next()])).toEqual([first.id, second.id]);
    const third = await posted(server, token);
    expect(idsOf([await ana.next()])).toEqual([third.id]);
  });

  it("gets several pages of pending asks, each ask once", async () => {
    const server = await openServer();
    for (let index = 0; index < 250; index += 1) await server.hub.post({ questions: [question] });
    const ana = await device(server);
    const ids = new Set<string>();
    for (let index = 0; index < 250; index += 1) ids.add(idsOf([await ana.next()])[0] ?? "");
    expect(ids.size).toBe(250);
    expect(await ana.untilPong()).toEqual([]);
  });

  it("also gets the context, the deadline and the ask's id", async () => {
    const server = await openServer();
    const ask = await posted(server, await server.token(), {
      context: "**why**",
      timeoutMs: 1_000,
      agentId: "a",
    });
    const ana = await device(server);
    expect((await ana.next()).payload.payload).toEqual({
      sessionKey: "",
      agentId: "a",
      questionId: ask.id,
      questions: [
        {
          question: "Ship it?",
          header: "",
          options: [
            { label: "Yes", description: "" },
            { label: "No", description: "" },
          ],
          multiSelect: false,
        },
      ],
      context: "**why**",
      deadline: ask.deadline,
      askId: ask.id,
    });
  });

  it("sees and answers only asks that its token covers", async () => {
    const server = await openServer();
    const token = await server.token();
    const forBen = await posted(server, token, { recipients: ["ben"] });
    const other = await posted(server, token, { session: "other" });
    const own = await posted(server, token, { session: "own" });
    const ana = await device(server, "ana", { sessions: ["own"] });
    expect(idsOf([await ana.next()])).toEqual([own.id]);
    for (const { id } of [forBen, other]) {
      ana.send(answerHook(id, { "Ship it?": "Yes" }));
      expect(await ana.next()).toMatchObject({
        type: "rejection",
        payload: { questionId: id, code: "not_found" },
      });
    }
    await posted(server, token, { session: "other" });
    const late = await posted(server, token, { session: "own" });
    expect(idsOf([await ana.next()])).toEqual([late.id]);
    expect((await server.hub.list({ status: "pending" })).asks).toHaveLength(5);
  });

  it("gets the issues of an invalid answer, and the ask stays pending", async () => {
    const server = await openServer();
    const host = await openRaw(server, { token: await server.token() });
    const ana = await device(server);
    host.send(questionEvent("q-1", [FEATURES, DATABASE]));
    await ana.next();
    const wrong: readonly [unknown, readonly object[]][] = [
      [{ [DATABASE.question]: "Redis" }, [{ path: ["answers", FEATURES.question] }]],
      [{ [DATABASE.question]: "Redis", [FEATURES.question]: 7 }, [{ code: "wrong_type" }]],
      [
        { [DATABASE.question]: "Redis", [FEATURES.question]: "Sync", "Else?": "x" },
        [{ code: "unknown_question", path: ["answers", "Else?"] }],
      ],
      [
        { [DATABASE.question]: "  ", [FEATURES.question]: "Sync" },
        [{ path: ["answers", DATABASE.question] }],
      ],
    ];
    for (const [answers, issues] of wrong) {
      ana.send(answerHook("q-1", answers));
      expect(await ana.next()).toMatchObject({
        type: "rejection",
        payload: { questionId: "q-1", code: "invalid_answer", issues },
      });
    }
    ana.send({ type: "hook.approval", payload: { executionId: "q-1", approved: true } });
    expect(await ana.next()).toMatchObject({ type: "rejection", payload: { code: "wrong_kind" } });
    expect(await host.untilPong()).toEqual([]);
    ana.send(answerHook("q-1", { [DATABASE.question]: "Redis", [FEATURES.question]: "Sync" }));
    expect((await ana.next()).type).toBe("ack");
  });

  it("gets a settled event with the answer and its answerer, except the device that answered", async () => {
    const server = await openServer();
    const host = await openRaw(server, { token: await server.token() });
    const phone = await openRaw(server, {
      token: await server.token({ role: "person" }),
      query: "?surface=phone",
    });
    const tablet = await device(server);
    const ben = await device(server, "ben");
    host.send(questionEvent("q-1", [DATABASE]));
    const shown = [await phone.next(), await tablet.next(), await ben.next()];
    const askId: string = shown[0]?.payload.payload.askId;
    phone.send(answerHook("q-1", { [DATABASE.question]: "SQLite" }));
    const by = { kind: "person", id: "ana", surface: "phone" };
    const answers = { [DATABASE.question]: "SQLite" };
    for (const one of [tablet, ben]) {
      expect(await one.next()).toEqual({
        type: "event",
        payload: {
          event: "ask_user_question.settled",
          payload: { questionId: "q-1", askId, status: "answered", by, answers },
        },
      });
    }
    expect(await phone.next()).toEqual({
      type: "ack",
      payload: { questionId: "q-1", askId, status: "answered", by },
    });
    expect(await phone.untilPong()).toEqual([]);
    ben.send(answerHook("q-1", { [DATABASE.question]: "Redis" }));
    expect(await ben.next()).toMatchObject({
      type: "rejection",
      payload: { questionId: "q-1", code: "already_settled", status: "answered", by },
    });
    // The same answer by the same person is acknowledged, from whichever of their devices.
    tablet.send(answerHook("q-1", answers));
    expect((await tablet.next()).type).toBe("ack");
  });

  it("that returns with a late answer gets the winner", async () => {
    const server = await openServer();
    const host = await openRaw(server, { token: await server.token() });
    host.send(questionEvent("q-1", [DATABASE]));
    const ana = await device(server);
    await ana.next();
    ana.send(answerHook("q-1", { [DATABASE.question]: "SQLite" }));
    await ana.next();
    const ben = await device(server, "ben");
    ben.send(answerHook("q-1", { [DATABASE.question]: "Redis" }));
    expect(await ben.next()).toMatchObject({ payload: { code: "already_settled", by: { id: "ana" } } });
  });

  it("never gets one name for two asks", async () => {
    const server = await openServer();
    const host = await openRaw(server, { token: await server.token() });
    const ana = await device(server);
    host.send(questionEvent("same", [DATABASE]));
    const one = await ana.next();
    host.send(questionEvent("same", [DATABASE], { sessionKey: "another" }));
    const other = await ana.next();
    expect(idsOf([one])).toEqual(["same"]);
    expect(idsOf([other])).toEqual([other.payload.payload.askId]);
    host.send(questionEvent(one.payload.payload.askId, [DATABASE]));
    const impostor = await ana.next();
    expect(idsOf([impostor])).toEqual([impostor.payload.payload.askId]);
  });

  it("sees all arguments of an approval of several actions, and approves all or none", async () => {
    const server = await openServer();
    const token = await server.token();
    const actions = [
      { name: "delete", args: { path: "a" } },
      { name: "mail", args: { to: "ben" } },
    ];
    const { body } = await call(server, token, "POST /v1/asks", { approval: { actions } });
    const ana = await device(server);
    const { payload } = (await ana.next()).payload;
    expect(payload).toMatchObject({ action: "delete, mail", args: { a1: { path: "a" }, a2: { to: "ben" } } });
    ana.send({ type: "hook.approval", payload: { executionId: payload.executionId, approved: true } });
    expect((await ana.next()).type).toBe("ack");
    const { outcome } = await server.hub.get(body.ask?.id ?? "");
    expect(outcome).toMatchObject({ kind: "decided", decisions: [{ kind: "approve" }, { kind: "approve" }] });
  });

  it("is a surface of its person while it is connected", async () => {
    const server = await openServer();
    const ana = await device(server);
    expect(server.hub.presence.connected()).toEqual([{ person: "ana", surfaces: ["gateway"] }]);
    await ana.close();
    await server.server.close();
    expect(server.hub.presence.connected()).toEqual([]);
  });
});

it("lets one of ten devices and an HTTP request win, and reports the winner to the others", async () => {
  const server = await openServer();
  const token = await server.token();
  const devices = await Promise.all(
    Array.from({ length: 10 }, (_, index) => device(server, `person-${index}`)),
  );
  const host = await openRaw(server, { token });
  host.send(
    questionEvent("q-1", [
      { ...DATABASE, question: "Ship it?", options: question.options.map((label) => ({ label })) },
    ]),
  );
  const shown = await Promise.all(devices.map((one) => one.next()));
  const askId: string = shown[0]?.payload.payload.askId ?? "";
  const http = await server.token({ role: "person", name: "web" });
  const [reply, ...told] = await Promise.all([
    call(server, http, `POST /v1/asks/${askId}/answer`, yes),
    ...devices.map((one, index) => {
      one.send(answerHook("q-1", { "Ship it?": index % 2 === 0 ? "Yes" : "No" }));
      return one.next();
    }),
  ]);
  const { outcome } = await server.hub.get(askId);
  const winner =
    outcome !== undefined && "by" in outcome && outcome.by.kind === "person" ? outcome.by.id : "";
  const won = [...told.filter(({ type }) => type === "ack"), ...(reply.status === 200 ? ["http"] : [])];
  expect(won).toHaveLength(1);
  // A loser may get the settled event before its own answer is handled; both name the winner.
  const lost = told.filter(({ type }) => type !== "ack");
  const names = lost.map(({ type, payload }) =>
    type === "rejection" ? payload.by.id : payload.payload.by.id,
  );
  if (reply.status !== 200) {
    expect(reply.body.error?.code).toBe("already_settled");
    names.push(
      reply.body.error?.outcome &&
        "by" in reply.body.error.outcome &&
        (reply.body.error.outcome.by as { id: string }).id,
    );
  }
  expect(names).toEqual(Array.from({ length: 10 }, () => winner));
  expect((await host.next()).type).toBe("hook.ask_user_answer");
  expect(await host.untilPong()).toEqual([]);
});
