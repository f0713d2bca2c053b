import { afterEach, expect, it } from "vitest";
import { call, closeServers, openServer, posted, yes } from "./open-server.ts";

afterEach(closeServers);

it("every outcome over HTTP has the labels of the chosen options beside their ids", async () => {
  const open = await openServer();
  const [agent, ana] = [await open.token(), await open.token({ role: "person" })];
  const { id } = await posted(open, agent);
  const answered = await call(open, ana, `POST /v1/asks/${id}/answer`, yes);
  const outcome = {
    ...{ kind: "answered", answers: yes.answers, choices: [{ question: "q1", labels: ["Yes"] }] },
    by: { kind: "person", id: "ana", surface: "api" },
  };
  expect(answered.body.ask?.outcome).toEqual(outcome);
  expect((await call(open, agent, `GET /v1/asks/${id}?wait=5`)).body.ask?.outcome).toEqual(outcome);
  for (const token of [agent, ana]) {
    const { body } = await call(open, token, "GET /v1/asks");
    expect(body.asks?.map((ask) => ask.outcome)).toEqual([outcome]);
  }
  const late = await call(open, ana, `POST /v1/asks/${id}/decline`, {});
  expect([late.status, late.body.error?.outcome]).toEqual([409, outcome]);
  const stream = await fetch(`${open.url}/v1/events?after=0`, {
    headers: { authorization: `Bearer ${agent}` },
  });
  let text = "";
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes("event: ask.answered") && text.endsWith("\n\n")) break;
  }
  const [, data = "{}"] = /event: ask\.answered\ndata: (.*)\n/.exec(text) ?? [];
  expect(JSON.parse(data).ask.outcome).toEqual(outcome);
});
