import { afterEach, describe, expect, it } from "vitest";
import { listSubscriptions } from "../../../src/hub/records/push-subscriptions.ts";
import { type AskInput, AsklineError } from "../../../src/index.ts";
import type { PeopleOptions } from "../../../src/people/channels/delivery.ts";
import type { NotificationAction } from "../../../src/people/channels/notify/context.ts";
import { quietFor } from "../../../src/people/channels/notify/preferences.ts";
import { notificationSettings } from "../../../src/people/channels/settings.ts";
import { closeDeliveries, type OpenDelivery, openDelivery } from "../../hub/delivery/open-delivery.ts";
import { closeReceivers, openReceiver, type Received, withStatus } from "../../hub/delivery/receiver.ts";
import { person as personOf, question, yes } from "../../hub/open-hub.ts";
import { openPushService, type PushService } from "./push-service.ts";

afterEach(async () => {
  await closeDeliveries();
  await closeReceivers();
});

const ana = personOf("ana");
const MINUTE = 60_000;

interface OpenPeople extends OpenDelivery {
  readonly actions: NotificationAction[];
  readonly invalid: Set<string>;
}

async function openPeople(people: Partial<PeopleOptions>): Promise<OpenPeople> {
  const actions: NotificationAction[] = [];
  const invalid = new Set<string>();
  const open = await openDelivery({
    people: {
      links: {
        askUrl: async (id, person) => `https://ask.example.com/a/${id}/${person}`,
        inboxUrl: (id, base) => `https://ask.example.com${base}/asks/${id}`,
        actionUrl: async (action) => {
          actions.push(action);
          return `https://ask.example.com/actions/${actions.length}`;
        },
      },
      isValid: (credential) => !("id" in credential) || !invalid.has(credential.id),
      ...people,
    },
  });
  return { ...open, actions, invalid };
}

const json = ({ body }: Received): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>;
/** Lets everything that is due happen. */
const settle = async ({ clock }: OpenDelivery): Promise<void> => {
  for (let round = 0; round < 60; round += 1) await clock.advance(100);
};

describe("ntfy", () => {
  it("notifies a person, with a click that opens the ask and a button for each option", async () => {
    const ntfy = await openReceiver();
    const open = await openPeople({ ntfy: new Map([["ana", `${ntfy.url}/my-topic`]]) });
    const ask = await open.hub.post({
      questions: [{ question: "Ship it?", options: ["Yes", "No", "Later"] }],
      agentId: "builder",
    });
    const [message] = await open.passUntil(() => ntfy.received.length > 0 && ntfy.received.map(json));
    expect(message).toEqual({
      topic: "my-topic",
      sequence_id: ask.id,
      title: "Question from builder",
      message: "Ship it?",
      click: `https://ask.example.com/a/${ask.id}/ana`,
      actions: ["Yes", "No", "Later"].map((label, index) => ({
        ...{ action: "http", label, method: "POST", clear: true },
        url: `https://ask.example.com/actions/${index + 1}`,
      })),
    });
    expect(open.actions[1]).toEqual({
      ...{ askId: ask.id, person: "ana", surface: "ntfy" },
      ending: { type: "answer", answers: [{ question: "q1", selected: ["o2"] }] },
    });
    await settle(open);
    expect(ntfy.received).toHaveLength(1);
  });

  it.each([
    ["a long question", { questions: [{ question: "x".repeat(121), options: ["Yes", "No"] }] }],
    ["four options", { questions: [{ question: "Which?", options: ["A", "B", "C", "D"] }] }],
    ["context", { questions: [question], context: "More to read" }],
    ["two questions", { questions: [question, { question: "And this?" }] }],
    ["several picks", { questions: [{ question: "Which?", options: ["A", "B"], multiSelect: true }] }],
    ["two actions", { approval: { actions: [{ name: "a" }, { name: "b" }] } }],
    ["long arguments", { approval: { actions: [{ name: "run", args: { command: "x".repeat(120) } }] } }],
    [
      "arguments that are long when all that cannot be seen is written out",
      { approval: { actions: [{ name: "run", args: { command: `ls${"\u2800".repeat(30)}; rm -rf .` } }] } },
    ],
    [
      "letters that would reorder the arguments",
      { approval: { actions: [{ name: "rm", args: { path: "/home/אב/גד" } }] } },
    ],
    ["a long heading", { questions: [{ ...question, header: "h".repeat(119) }] }],
  ])("has no buttons for %s, which is only opened", async (_what, ask) => {
    const ntfy = await openReceiver();
    const open = await openPeople({ ntfy: new Map([["ana", `${ntfy.url}/t`]]) });
    await open.hub.post(ask);
    const [message] = await open.passUntil(() => ntfy.received.length > 0 && ntfy.received.map(json));
    expect(message).toHaveProperty("click");
    expect(message).not.toHaveProperty("actions");
    expect(open.actions).toEqual([]);
  });

  it("sent as many messages in a minute as an agent asked: six now, and one that says there is more", async () => {
    const ntfy = await openReceiver();
    const topics = ["ana", "ben"].map((name) => [name, `${ntfy.url}/${name}`] as const);
    const open = await openPeople({ ntfy: new Map(topics) });
    const post = (count: number, asker: string, ...recipients: readonly string[]) =>
      Promise.all(
        Array.from({ length: count }, () => open.hub.post({ questions: [question], recipients }, { asker })),
      );
    const titles = (topic: string): readonly unknown[] =>
      ntfy.received
        .map(json)
        .filter((one) => one.topic === topic)
        .map(({ title }) => title);
    await post(20, "builder", "ana");
    await open.passUntil(() => titles("ana").length >= 7);
    await settle(open);
    const six = Array.from({ length: 6 }, () => "Question from builder");
    expect([...titles("ana")].sort()).toEqual(["14 more questions from builder", ...six]);
    // Neither another agent nor another person is concerned.
    await post(1, "planner", "ana");
    await post(1, "builder", "ben");
    await open.passUntil(() => titles("ana").length === 8 && titles("ben").length === 1);
    await open.clock.advance(MINUTE);
    await post(1, "builder", "ana");
    await open.passUntil(() => titles("ana").length === 9);
    expect(titles("ana").slice(7)).toEqual(["Question from planner", "Question from builder"]);
  });

  it("counts what waits when a burst is over, even if the first question above the limit has ended", async () => {
    const ntfy = await openReceiver();
    const open = await openPeople({ ntfy: new Map([["ana", `${ntfy.url}/t`]]) });
    const post = () => open.hub.post({ questions: [question] }, { asker: "builder" });
    for (let count = 0; count < 6; count += 1) await post();
    await open.passUntil(() => ntfy.received.length === 6);
    const seventh = await post();
    await open.passUntil(async () => (await open.deliveries.ofAsk(seventh.id))[0]?.waitsFor !== undefined);
    const [eighth] = [await post(), await post()];
    await open.hub.decline(seventh.id, undefined, ana);
    await settle(open);
    expect(ntfy.received.slice(6).map(json)).toMatchObject([
      { title: "2 more questions from builder", click: `https://ask.example.com/a/${eighth.id}/ana` },
    ]);
  });

  it("made an agent wait while another one was above the limit of the same ntfy", async () => {
    const ntfy = await openReceiver((request, response) => {
      const isBuilder = String(json(request).title).includes("builder");
      response.writeHead(isBuilder ? 429 : 200, { "retry-after": "2" }).end();
    });
    const open = await openPeople({ ntfy: new Map([["ana", `${ntfy.url}/t`]]) });
    for (let count = 0; count < 6; count += 1) {
      await open.hub.post({ questions: [question] }, { asker: "builder" });
    }
    await open.passUntil(() => ntfy.received.length > 9, 500);
    const since = open.clock.monotonic();
    await open.hub.post({ questions: [question] }, { asker: "planner" });
    await open.passUntil(() => json(ntfy.received.at(-1) as never).title === "Question from planner");
    expect(open.clock.monotonic() - since).toBeLessThan(2_000);
  });

  it("sends nothing of an agent that the person muted, and of no other", async () => {
    const ntfy = await openReceiver();
    const open = await openPeople({
      ntfy: new Map([
        ["ana", `${ntfy.url}/ana`],
        ["ben", `${ntfy.url}/ben`],
      ]),
    });
    const { changePreferences } = notificationSettings(open.store, undefined);
    await changePreferences("ana", { mute: { asker: "builder", owner: "ben" } });
    const received = () =>
      ntfy.received
        .map(json)
        .map(({ topic, title }) => `${topic}: ${title}`)
        .sort();
    await open.hub.post({ questions: [question] }, { asker: "builder", owner: "ben" });
    await open.passUntil(() => received().length === 1);
    await settle(open);
    expect(received()).toEqual(["ben: Question from builder"]);
    await open.hub.post({ questions: [question] }, { asker: "builder", owner: "ana" });
    await open.passUntil(() => received().length === 3);
    await changePreferences("ana", { unmute: { asker: "builder", owner: "ben" } });
    await open.hub.post({ questions: [question] }, { asker: "builder", owner: "ben" });
    await open.passUntil(() => received().length === 5);
  });

  it("has the verified asker as its sender, not the one that the agent chose", async () => {
    const ntfy = await openReceiver();
    const open = await openPeople({ ntfy: new Map([["ana", `${ntfy.url}/t`]]) });
    const asks: readonly AskInput[] = [
      { questions: [{ question: "Ship it?", header: "Message from Ben", options: ["Yes", "No"] }] },
      { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] },
      { approval: { actions: [{ name: "deploy" }] } },
    ];
    for (const ask of asks) {
      await open.hub.submit({ ...ask, agentId: "Your bank", agentPath: ["Ben"] }, { asker: "builder" });
    }
    const messages = await open.passUntil(() => ntfy.received.length === 3 && ntfy.received.map(json));
    expect(messages.map(({ title }) => title).sort()).toEqual([
      "Builder needs your approval",
      "Question from builder",
      "Question from builder: Message from Ben",
    ]);
    expect(ntfy.received.map(({ body }) => body).join()).not.toContain("bank");
  });

  it("shows the arguments beside the name, however many lines and blank characters the name has", async () => {
    const ntfy = await openReceiver();
    const open = await openPeople({ ntfy: new Map([["ana", `${ntfy.url}/t`]]) });
    const name = `list files${"\n".repeat(60)}\u2800`;
    const args = { command: "rm\u2800-rf\u3164\u00a0/" };
    await open.hub.post({ approval: { actions: [{ name, args, description: "First\n\n\nsecond" }] } });
    const [message] = await open.passUntil(() => ntfy.received.length > 0 && ntfy.received.map(json));
    expect(message?.message).toBe(
      'list files \\u2800 {"command":"rm\\u2800-rf\\u3164\\u00a0/"}\nFirst second',
    );
    expect(message?.actions).toHaveLength(2);
  });

  it("asks a question in one line, without gaps that push a part of it away", async () => {
    const ntfy = await openReceiver();
    const open = await openPeople({ ntfy: new Map([["ana", `${ntfy.url}/t`]]) });
    const gap = `\n${"\u2800".repeat(20)}\t\u00a0\u3000\n`;
    await open.hub.post({
      questions: [{ question: `Keep it?${gap}No deletes it.`, options: ["Yes", "No"] }],
    });
    const [message] = await open.passUntil(() => ntfy.received.length > 0 && ntfy.received.map(json));
    expect(message?.message).toBe("Keep it? No deletes it.");
    expect(message?.actions).toHaveLength(2);
  });

  it("shows as much as the person wants", async () => {
    const ntfy = await openReceiver();
    const open = await openPeople({ ntfy: new Map([["ana", `${ntfy.url}/t`]]) });
    const settings = notificationSettings(open.store, undefined);
    const ask = {
      questions: [{ question: "Who gets the raise?", header: "Salaries", options: ["Ben", "Cy"] }],
    };
    await settings.changePreferences("ana", { privacy: "title" });
    await open.hub.post(ask);
    await open.passUntil(() => ntfy.received.length === 1);
    await settings.changePreferences("ana", { privacy: "minimal", language: "vi" });
    await open.hub.post(ask);
    await open.passUntil(() => ntfy.received.length === 2);
    const [title, minimal] = ntfy.received.map(({ body }) => body);
    expect(title).toContain("Salaries");
    expect(title).not.toMatch(/raise|Ben/);
    expect(minimal).toContain("Có một câu hỏi đang chờ bạn");
    expect(minimal).not.toMatch(/raise|Ben|Salaries/);
  });

  it("replaces the message by who answered, without a sound, once", async () => {
    const ntfy = await openReceiver();
    const open = await openPeople({ ntfy: new Map([["ana", `${ntfy.url}/t`]]) });
    const ask = await open.hub.post({ questions: [question], agentId: "builder" });
    await open.passUntil(() => ntfy.received.length === 1);
    const by = { kind: "person", id: "ben", surface: "page" } as const;
    await open.hub.answer(ask.id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by });
    await open.passUntil(() => ntfy.received.length === 2);
    expect(ntfy.received.map(json)[1]).toEqual({
      ...{ topic: "t", sequence_id: ask.id, priority: 2 },
      ...{ title: "Question from builder", message: "Answered by ben" },
      click: `https://ask.example.com/a/${ask.id}/ana`,
    });
    await settle(open);
    expect(ntfy.received).toHaveLength(2);
  });

  it("kept sending links that answer to a person who was revoked", async () => {
    const ntfy = await openReceiver();
    const revoked = new Set(["ana"]);
    const open = await openPeople({
      ntfy: new Map([
        ["ana", `${ntfy.url}/hers`],
        ["ben", `${ntfy.url}/his`],
      ]),
      isRevoked: async (person) => revoked.has(person),
    });
    await open.hub.post({ questions: [question] });
    await open.passUntil(() => ntfy.received.length > 0);
    await settle(open);
    expect(ntfy.received.map((message) => json(message).topic)).toEqual(["his"]);
    expect(open.actions.filter(({ person }) => person === "ana")).toEqual([]);
  });

  it("sends its token, and repeats neither that nor the topic in a log", async () => {
    const ntfy = await openReceiver(withStatus(500));
    const url = `${ntfy.url.replace("//", "//:tk_s3cret@")}/secret-topic`;
    const open = await openPeople({ ntfy: new Map([["ana", url]]) });
    await open.hub.post({ questions: [question] });
    await open.passUntil(() => open.logged.length > 0);
    expect(ntfy.received[0]?.headers.authorization).toBe("Bearer tk_s3cret");
    expect(open.logged.join()).not.toMatch(/s3cret|secret-topic/);
  });
});

describe("reminders and escalation", () => {
  it("notifies again, then adds the people of a step, as an event in the audit", async () => {
    const ntfy = await openReceiver();
    const topics = new Map(["ana", "oncall"].map((name) => [name, `${ntfy.url}/${name}`]));
    const open = await openPeople({ ntfy: topics });
    const ask = await open.hub.post({
      questions: [question],
      recipients: ["ana"],
      notify: [{ after: "0s" }, { after: "5m" }, { after: "10m", to: ["oncall"] }],
    });
    const told = (): readonly unknown[] => ntfy.received.map((request) => json(request).topic);
    await open.passUntil(() => told().length === 1);
    await open.passUntil(() => told().length === 2, 5_000);
    expect(open.clock.now() - ask.createdAt).toBeGreaterThanOrEqual(5 * MINUTE);
    await open.passUntil(() => told().length === 3, 5_000);
    expect(open.clock.now() - ask.createdAt).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(told()).toEqual(["ana", "ana", "oncall"]);
    const events = (await open.hub.audit(ask.id)).map(({ type, to }) =>
      to === undefined ? type : [type, to],
    );
    expect(events).toEqual(["ask.created", ["ask.escalated", ["oncall"]]]);
    const answered = await open.hub.answer(ask.id, yes, personOf("oncall"));
    expect(answered.recipients).toEqual(["ana", "oncall"]);
  });

  it("stops when the ask has ended", async () => {
    const ntfy = await openReceiver();
    const open = await openPeople({
      ntfy: new Map([["ana", `${ntfy.url}/t`]]),
      steps: [{ after: "0s" }, { after: "1m" }],
    });
    const ask = await open.hub.post({ questions: [question] });
    await open.passUntil(() => ntfy.received.length === 1);
    await open.hub.answer(ask.id, yes, ana);
    await open.clock.advance(2 * MINUTE);
    const messages = await open.passUntil(() => ntfy.received.length > 1 && ntfy.received.map(json));
    expect(messages.slice(1)).toMatchObject([{ message: "Answered by ana" }]);
    expect(await open.deliveries.ofAsk(ask.id)).toEqual([]);
  });

  it("waits for the end of a person's quiet hours", async () => {
    const ntfy = await openReceiver();
    const open = await openPeople({ ntfy: new Map([["ana", `${ntfy.url}/t`]]) });
    // The clock of the test begins at midnight in UTC.
    await notificationSettings(open.store, undefined).changePreferences("ana", {
      quietHours: { from: "22:00", to: "00:05" },
    });
    const ask = await open.hub.post({ questions: [question] });
    await settle(open);
    expect(ntfy.received).toEqual([]);
    const end = ask.createdAt + 5 * MINUTE;
    expect(await open.deliveries.ofAsk(ask.id)).toMatchObject([
      { state: "waiting", attempts: 0, nextAt: end, waitsFor: "until 00:05, quiet hours (UTC)" },
    ]);
    await open.passUntil(() => ntfy.received.length === 1, 5_000);
    expect(open.clock.now() - ask.createdAt).toBeGreaterThanOrEqual(5 * MINUTE);
  });

  it.each([
    ["2030-01-01T23:30:00Z", "22:00", "07:00", "UTC", 7.5 * 60],
    ["2030-01-01T06:59:30Z", "22:00", "07:00", "UTC", 0.5],
    ["2030-01-01T07:00:00Z", "22:00", "07:00", "UTC", 0],
    ["2030-01-01T12:00:00Z", "22:00", "07:00", "UTC", 0],
    ["2030-01-01T16:00:00Z", "22:00", "07:00", "Asia/Ho_Chi_Minh", 8 * 60],
    ["2030-01-01T12:30:00Z", "12:00", "13:00", "UTC", 30],
  ])("at %s, quiet from %s to %s in %s lasts %d more minutes", (now, from, to, timeZone, minutes) => {
    expect(quietFor({ quietHours: { from, to, timeZone } }, Date.parse(now))).toBe(minutes * MINUTE);
  });
});

describe("push", () => {
  const contact = "mailto:ops@example.com";

  async function openPush(): Promise<
    OpenPeople & {
      readonly service: PushService;
      subscribe(person?: string, token?: string, more?: object): Promise<string>;
    }
  > {
    const service = await openPushService();
    const push = { contact, hosts: [service.url] };
    const open = await openPeople({ push });
    open.clock.jumpWall(Date.now() - open.clock.now());
    const settings = notificationSettings(open.store, push);
    return {
      ...open,
      service,
      async subscribe(person = "ana", token = "t1", more = {}) {
        const subscriber = { person, credential: { kind: "token", id: token } as const, base: "/i/key" };
        const { device } = await settings.subscribe(subscriber, {
          subscription: service.subscribe(),
          ...more,
        });
        return device;
      },
    };
  }

  it("sends an encrypted, signed message to each device of the people who may answer, once", async () => {
    const open = await openPush();
    await open.subscribe("ana");
    await open.subscribe("ana", "t2", { privacy: "minimal" });
    await open.subscribe("ben", "t3");
    const ask = await open.hub.post({
      approval: { actions: [{ name: "deploy", args: { to: "production" } }] },
      recipients: ["ana"],
      agentId: "builder",
    });
    const messages = await open.passUntil(
      () => open.service.received.length === 2 && open.service.messages(),
    );
    const [full, minimal] = [...messages].sort((one, other) => one.path.localeCompare(other.path));
    expect(full?.payload).toMatchObject({
      web_push: 8030,
      notification: {
        ...{ title: "Builder needs your approval", body: 'deploy {"to":"production"}' },
        navigate: `https://ask.example.com/i/key/asks/${ask.id}`,
        tag: `askline-${ask.id}`,
        actions: [{ title: "Approve" }, { title: "Reject" }],
      },
    });
    expect(minimal?.payload.notification).toMatchObject({ title: "A question waits for you", body: "" });
    expect(minimal?.payload.notification.actions).toBeUndefined();
    expect(full?.claims).toMatchObject({ aud: open.service.url, sub: contact });
    expect(full?.publicKey).toBe(await notificationSettings(open.store, { contact }).publicKey());
    expect(full?.headers).toMatchObject({ ttl: "86400", urgency: "high", "content-encoding": "aes128gcm" });
    expect(full?.headers.topic).toMatch(/^[\w-]{32}$/);
    await settle(open);
    expect(open.service.received).toHaveLength(2);
  });

  it("replaces the notification when somebody else has answered, under the same tag and topic", async () => {
    const open = await openPush();
    await open.subscribe("ana");
    const ask = await open.hub.post({ questions: [question] });
    await open.passUntil(() => open.service.received.length === 1);
    await open.hub.answer(ask.id, yes, personOf("ben"));
    await open.passUntil(() => open.service.received.length === 2);
    const [first, second] = open.service.messages();
    expect(second?.payload.notification).toMatchObject({
      ...{ title: "Answered by ben", tag: first?.payload.notification.tag },
      data: { settled: true },
    });
    expect(second?.headers.topic).toBe(first?.headers.topic);
    await settle(open);
    expect(open.service.received).toHaveLength(2);
  });

  it("does not disturb a person whose inbox is in front of them", async () => {
    const open = await openPush();
    await open.subscribe("ana");
    await open.subscribe("ben", "t2");
    const settings = notificationSettings(open.store, { contact });
    await settings.focus("ana", "page", true);
    await open.hub.post({ questions: [question] });
    await open.passUntil(() => open.service.received.length > 0);
    await settle(open);
    expect(open.service.received.map(({ path }) => path)).toEqual(["/push/2"]);
    await settings.focus("ana", "page", false);
    await open.hub.post({ questions: [question] });
    await open.passUntil(() => open.service.received.length === 3);
  });

  it.each([404, 410])("forgets a device whose push service answers %i", async (status) => {
    const open = await openPush();
    await open.subscribe("ana");
    open.service.respond = withStatus(status);
    const ask = await open.hub.post({ questions: [question] });
    await open.passUntil(async () => (await listSubscriptions(open.store.records)).length === 0);
    await settle(open);
    expect(open.service.received).toHaveLength(1);
    expect(await open.deliveries.ofAsk(ask.id)).toEqual([]);
  });

  it("keeps a device that is refused with 403, says so loudly, and does not count it as reachable", async () => {
    const open = await openPush();
    await open.subscribe("ana");
    const reached = await open.hub.post({ questions: [question], requireSurface: true });
    expect(reached.status).toBe("pending");
    await open.passUntil(() => open.service.received.length === 1);
    open.service.respond = withStatus(403);
    await open.hub.post({ questions: [question] });
    await open.passUntil(() => open.logged.some((line) => line.includes("--push-contact")));
    expect(await listSubscriptions(open.store.records)).toHaveLength(1);
    const unreached = await open.hub.post({ questions: [question], requireSurface: true });
    expect(unreached.status).toBe("unavailable");
  });

  it("ends with the credential that the device was subscribed with", async () => {
    const open = await openPush();
    await open.subscribe("ana", "t1");
    open.invalid.add("t1");
    await open.hub.post({ questions: [question] });
    await open.passUntil(async () => (await listSubscriptions(open.store.records)).length === 0);
    expect(open.service.received).toEqual([]);
  });

  it.each([
    ["a stranger's host", "https://push.evil.example/x"],
    ["a known host without https", "http://fcm.googleapis.com/x"],
    ["a name that only begins like a known one", "https://fcm.googleapis.com.evil.example/x"],
    ["loopback", "https://127.0.0.1/x"],
    ["nothing", "fcm"],
  ])("refuses a subscription of %s", async (_what, endpoint) => {
    const open = await openPush();
    const settings = notificationSettings(open.store, { contact });
    const subscriber = { person: "ana", credential: { kind: "host" } as const, base: "" };
    const { keys } = open.service.subscribe();
    const subscribed = settings.subscribe(subscriber, { subscription: { endpoint, keys } });
    await expect(subscribed).rejects.toBeInstanceOf(AsklineError);
    const wrongKeys = { endpoint: "https://fcm.googleapis.com/x", keys: { ...keys, auth: "short" } };
    await expect(settings.subscribe(subscriber, { subscription: wrongKeys })).rejects.toThrow(/keys/);
    expect(await listSubscriptions(open.store.records)).toEqual([]);
  });
});
