import { afterAll, afterEach, expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { endProcesses } from "./processes.ts";
import { post, removeFolders, serveHere } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const questions = [{ question: "Ship it?", options: ["Yes", "No"] }];

it("lists the people that the server knows, warns of others, and passes on what waits for a person who leaves", async () => {
  const server = await serveHere(undefined, { args: ["--person", "ana"] });
  const data = ["--data", server.data];
  await runHere(["token", "create", "--role", "person", "--person", "ben", ...data]);
  const { id } = await post(server, { questions, recipients: ["ben"] });
  await post(server, { questions, recipients: ["ana", "zoe"] });
  const { people } = JSON.parse((await runHere(["people", "--json", ...data])).stdout);
  expect(people).toMatchObject([
    { id: "ana", since: expect.any(Number), browsers: 0, waiting: 1 },
    { id: "ben", since: expect.any(Number), browsers: 0, waiting: 1 },
  ]);
  expect((await server.run(["list"])).stdout).toMatch(
    /warning: \w+ is for zoe, whom the server does not know/,
  );

  expect((await runHere(["people", "remove", "ben", "--to", "zoe", ...data])).stderr).toContain("not known");
  const removed = await runHere(["people", "remove", "ben", "--to", "ana", ...data]);
  expect(removed.stdout).toContain(`waiting for them (1):\n  ${id}\nana was added to them`);
  expect((await server.run(["show", id])).code).toBe(0);
  const table = await runHere(["people", ...data], { columns: 100 });
  expect(table.stdout).toMatch(/^ben +\d{4}-\d\d-\d\d +0 .* 1 +left \d{4}/m);
  expect((await runHere(["people", "remove", "nobody", ...data])).code).not.toBe(0);
});

it("with --known-people refuses an ask to somebody unknown, and says why", async () => {
  const server = await serveHere(undefined, { args: ["--person", "ana", "--known-people"] });
  await expect(post(server, { questions, recipients: ["zoe"] })).rejects.toThrow(
    /not known to this server.*zoe/,
  );
  await expect(
    post(server, { questions, recipients: ["ana"], notify: [{ after: "1h", to: ["zoe"] }] }),
  ).rejects.toThrow(/not known to this server.*zoe/);
  await post(server, { questions, recipients: ["ana"] });
  await post(server, { questions });
});
