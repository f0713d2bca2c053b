import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { connect } from "../../src/client/index.ts";
import { endProcesses } from "../cli/processes.ts";
import { newFolder, removeFolders, type ServeProcess, serve } from "../cli/servers.ts";
import { closeReceivers, openReceiver, withStatus } from "../hub/delivery/receiver.ts";
import { openPushService } from "../people/channels/push-service.ts";
import { until } from "../server/open-server.ts";
import { sharedPostgres } from "../support/shared-postgres.ts";

const ASKS = 200;

afterEach(async () => {
  await endProcesses();
  await closeReceivers();
});
afterAll(removeFolders);

/** A database of its own on the shared server. */
async function newDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const shared = await sharedPostgres();
  const name = `deliveries_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ connectionString: shared });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const database = new URL(shared);
  database.pathname = `/${name}`;
  return {
    url: database.href,
    async drop() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

/** Resolves when nothing is left to deliver: the record of a delivery may follow its arrival. */
function allRecorded({ run }: ServeProcess, db: string): Promise<true> {
  return until(async () => {
    const listed = await run(["deliveries", "--db", db, "--json"]);
    return (JSON.parse(listed.stdout) as { deliveries: unknown[] }).deliveries.length === 0;
  });
}

it("one push for each ask and device, from two servers on one PostgreSQL, one of them killed", async () => {
  const database = await newDatabase();
  const service = await openPushService();
  const data = newFolder();
  const push = ["--push-contact", "mailto:ops@example.com", "--push-host", service.url];
  const options = { args: ["--db", database.url, "--person", "ana", ...push] };
  const [first, second] = [await serve(data, options), await serve(data, options)];
  const tokens = readCredentials(data, first.url);
  // Each agent stays below the number of messages that one may send to a person in a minute.
  const create = ["token", "create", "--role", "agent", "--db", database.url];
  const agents = await Promise.all(
    [first, second, first, second, first, second].map(async ({ url }) =>
      connect({ url, token: (await first.run(create)).stdout.trim() }),
    ),
  );
  try {
    const subscribed = await fetch(`${second.url}/v1/push`, {
      method: "PUT",
      headers: { authorization: `Bearer ${tokens?.person}`, "content-type": "application/json" },
      body: JSON.stringify({ subscription: service.subscribe() }),
    });
    expect(subscribed.status).toBe(200);
    const ask = (index: number): Promise<unknown> | undefined =>
      agents[index % agents.length]?.post({ questions: [{ question: `Number ${index}?` }] });
    await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index)));
    await until(() => service.received.length === 20);
    // One whose record the kill prevented would be sent again, rightly.
    await allRecorded(second, database.url);
    first.running.child.kill("SIGKILL");
    // Agents of the second server.
    await Promise.all([21, 23, 25].map(ask));
    await until(() => service.received.length >= 23);
    const tags = service.messages().map(({ payload }) => payload.notification.tag);
    expect(new Set(tags).size).toBe(23);
    expect(tags).toHaveLength(23);
  } finally {
    await Promise.all(agents.map((agent) => agent.close()));
    await endProcesses();
    await database.drop();
  }
});

it(`${ASKS} asks settled while the receiver fails and hangs, and servers are killed twice: every outcome arrives`, async () => {
  const database = await newDatabase();
  const receiver = await openReceiver(withStatus(500));
  // Two in five requests fail, one in five hangs until its sender gives up or dies.
  let count = 0;
  receiver.respond = (_request, response) => {
    count += 1;
    if (count % 5 === 0) return;
    response.writeHead(count % 5 < 3 ? 500 : 200).end();
  };
  const data = newFolder();
  const args = ["--db", database.url, "--person", "ana", "--allow-private-callbacks"];
  const options = { args: [...args, "--webhook", `${receiver.url}/hook`, "--webhook-events", "ask.settled"] };
  const first = await serve(data, options);
  const second = await serve(data, options);
  const tokens = readCredentials(data, first.url);
  const agent = connect({ urls: [first.url, second.url], token: tokens?.agent ?? "" });
  const person = connect({ url: second.url, token: tokens?.person ?? "" });
  try {
    const settle = async (index: number): Promise<string> => {
      const ask = await agent.post({
        questions: [{ question: `Which number is it, ${index}?` }],
        session: "deliveries",
        key: `k${index}`,
        callback: { url: `${receiver.url}/callback/${index}` },
      });
      await person.answer(ask.id, { answers: [{ question: "q1", text: `answer ${index}` }] });
      return ask.id;
    };
    const indexes = Array.from({ length: ASKS }, (_, index) => index);
    const ids: string[] = await Promise.all(indexes.slice(0, ASKS / 2).map(settle));
    // The first server, which leads, dies in the middle of its deliveries.
    await until(() => receiver.received.length > 20);
    first.running.child.kill("SIGKILL");
    ids.push(...(await Promise.all(indexes.slice(ASKS / 2).map(settle))));
    await until(() => receiver.received.length > 60);
    const third = await serve(data, options);
    second.running.child.kill("SIGKILL");
    receiver.respond = withStatus(200);

    const arrived = (prefix: string): ReadonlySet<string> =>
      new Set(
        receiver.received
          .filter(({ path }) => path.startsWith(prefix))
          .map(({ body }) => (JSON.parse(body) as { data: { askId: string } }).data.askId),
      );
    await until(() => arrived("/callback/").size === ASKS && arrived("/hook").size === ASKS);
    expect([...arrived("/callback/")].sort()).toEqual([...ids].sort());
    expect([...arrived("/hook")].sort()).toEqual([...ids].sort());
    for (const { path, body } of receiver.received.filter(({ path }) => path.startsWith("/callback/"))) {
      expect(body).toContain(`answer ${path.slice("/callback/".length)}"`);
    }
    // Nothing was in delivery by two nodes at the same time.
    expect(receiver.mostAtOnce).toBe(1);
    await allRecorded(third, database.url);
  } finally {
    await Promise.all([agent.close(), person.close()]);
    await endProcesses();
    await database.drop();
  }
  // An entry that was put back because its receiver hung may come back after a minute.
});
