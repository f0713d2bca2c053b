import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { connect } from "../../../src/client/index.ts";
import type { Draft, Outcome } from "../../../src/index.ts";
import { type AskListener, answerAsk, followAsk } from "../../../src/people/terminal/answer-ask.ts";
import { openServer } from "../../client/real-server.ts";
import { openHub, person, question, yes } from "../../hub/open-hub.ts";
import { screen } from "./streams.ts";

const by = { kind: "person", id: "ana", surface: "terminal" } as const;
const phone = person("ana", "phone");

/** A form whose draft is being fetched while something happens elsewhere. */
async function opening(meanwhile: "draft" | "end") {
  const { hub } = await openHub();
  const ask = await hub.post({ questions: [question] });
  const stop = new AbortController();
  const drafts: (Draft | undefined)[] = [];
  let listener: AskListener | undefined;
  const draft = async (): Promise<Draft | undefined> => {
    const found = await hub.draft(ask.id, { by });
    drafts.push(found);
    if (drafts.length === 2) stop.abort();
    if (drafts.length > 1) return found;
    if (meanwhile === "draft") {
      const answers = [{ question: "q1", selected: ["o2"], note: "for staff only" }];
      await hub.saveDraft(ask.id, { answers }, phone);
      listener?.draft();
    } else listener?.ended((await hub.answer(ask.id, yes, phone)).outcome as Outcome);
    return found;
  };
  const shown = await answerAsk(
    ask,
    {
      inbox: { ...hub, draft },
      by,
      follow: (given) => {
        listener = given;
        return () => undefined;
      },
      input: new PassThrough(),
      output: screen().stream,
    },
    stop.signal,
  );
  await hub.close();
  return { shown, drafts };
}

it("missed a draft that was saved elsewhere while the form opened", async () => {
  const { shown, drafts } = await opening("draft");
  expect(drafts).toHaveLength(2);
  expect(JSON.stringify(shown.driver.state)).toContain("for staff only");
});

it("missed the end of an ask while its form opened", async () => {
  const { shown } = await opening("end");
  expect(shown).toMatchObject({
    kind: "settled",
    driver: { state: { phase: { outcome: { by: phone.by } } } },
  });
});

it("missed the end of an ask, and a draft, between the read of the ask and the beginning of the stream", async () => {
  const server = await openServer();
  const ask = await server.agent().post({ questions: [question] });
  const client = connect({
    url: server.url,
    token: await server.token("person", "ana"),
    // The list with which a watch begins comes too late.
    fetch: async (url, init) => {
      if (String(url).includes("status=pending")) await server.hub.answer(ask.id, yes, phone);
      return fetch(url, init);
    },
  });
  const happened: string[] = [];
  await new Promise<void>((resolve) => {
    followAsk(
      client,
      ask,
    )({
      draft: () => void happened.push("draft"),
      ended(outcome) {
        happened.push(outcome.kind);
        resolve();
      },
    });
  });
  expect(happened).toEqual(["draft", "answered"]);
  await client.close();
  await server.close();
});
