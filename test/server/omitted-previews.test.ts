import { afterEach, describe, expect, it } from "vitest";
import { findAsk } from "../../src/cli/connect/find-ask.js";
import { contentText } from "../../src/cli/output/ask-text.js";
import { connect } from "../../src/client/index.js";
import { type Ask, parseAsk } from "../../src/index.js";
import { readEvents } from "./event-reader.js";
import { call, closeServers, openServer } from "./open-server.js";

afterEach(closeServers);

const preview = { format: "markdown" as const, content: "ä".repeat(60_000) };
const large = {
  questions: [
    {
      question: "Which?",
      options: Array.from({ length: 5 }, (_, index) => ({ label: `Option ${index}`, preview })),
    },
  ],
};
const small = {
  questions: [{ question: "Which?", options: [{ label: "A", preview: "short" }, { label: "B" }] }],
};
const omitted = { format: "markdown", content: "", omitted: 120_000 };

function previewsOf(ask: Ask | undefined): unknown {
  return ask?.questions[0]?.options.map((option) => option.preview);
}

describe("the previews of a large ask", () => {
  it("were sent again and again in lists for people and in events", async () => {
    const open = await openServer();
    const agent = await open.token();
    const person = await open.token({ role: "person" });
    const events = await readEvents(open, person);
    const { ask } = (await call(open, agent, "POST /v1/asks", large)).body;
    await call(open, agent, "POST /v1/asks", small);
    const listed = (await call(open, person, "GET /v1/asks")).body.asks;
    expect(previewsOf(listed?.[0])).toEqual(new Array(5).fill(omitted));
    expect(previewsOf(listed?.[1])).toEqual([{ format: "markdown", content: "short" }, undefined]);
    const [first, second] = await events.count(2);
    events.hangUp();
    expect(first).toMatchObject({ askId: ask?.id });
    expect(first).not.toHaveProperty("ask");
    expect(previewsOf(second?.ask)).toEqual([{ format: "markdown", content: "short" }, undefined]);
    expect(previewsOf((await call(open, person, `GET /v1/asks/${ask?.id}`)).body.ask)).toEqual(
      new Array(5).fill(preview),
    );
    expect(previewsOf((await call(open, agent, "GET /v1/asks")).body.asks?.[0])).toEqual(
      new Array(5).fill(preview),
    );
  });

  it("are there for a person who finds the ask by a part of its id", async () => {
    const open = await openServer();
    const { id } = await open.hub.post(large);
    const client = connect({ url: open.url, token: await open.token({ role: "person" }) });
    try {
      const { asks } = await client.list();
      expect(contentText(asks[0] as Ask, undefined)).toContain("(preview of 120,000 bytes left out)");
      expect(previewsOf(await findAsk(client, id.slice(-8), ""))).toEqual(new Array(5).fill(preview));
    } finally {
      await client.close();
    }
  });

  it("cannot be asked for as left out", () => {
    const option = { label: "A", preview: { format: "text", content: "x", omitted: 5 } };
    const parsed = parseAsk({ questions: [{ question: "Which?", options: [option, "B"] }] });
    expect(parsed.ok && parsed.ask.questions[0]?.options[0]?.preview).toEqual({
      format: "text",
      content: "x",
    });
  });
});
