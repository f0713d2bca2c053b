// Visits an app that has Askline below /askline, as its users and as a stranger, and checks what each of them gets.

import assert from "node:assert/strict";

/** `hub` is the app's own: an agent in the same process asks with it. */
export async function check(url, hub) {
  const ana = await visitor(url, { name: "ana", password: "tulip" });
  const ben = await visitor(url, { name: "ben", password: "heron" });
  const stranger = visitorWith(url, undefined);

  const asking = hub.ask({
    questions: [{ question: "Refund Ana's order?", options: ["Yes", "No"] }],
    recipients: ["ana"],
  });
  await hub.post({ questions: [{ question: "Refund Ben's order?" }], recipients: ["ben"] });

  const [own, ...others] = await asksOf(ana);
  assert.deepEqual([own.questions[0].question, others], ["Refund Ana's order?", []]);
  assert.equal((await asksOf(ben))[0].questions[0].question, "Refund Ben's order?");
  assert.equal((await ben("GET", `/askline/v1/asks/${own.id}`)).status, 404, "Ben does not see Ana's");
  const page = await ana("GET", "/askline/");
  const inbox = await page.text();
  assert.equal(page.status, 200);
  assert.match(inbox, /data-page="inbox" .*data-person="ana"/, "Ana's inbox page is hers");
  assert.ok(!inbox.includes("Ben"), "and has nothing of Ben's");

  const answer = { answers: [{ question: "q1", selected: ["Yes"] }] };
  const path = `/askline/v1/asks/${own.id}/answer`;
  for (const body of [answer, undefined, { questions: [] }]) {
    assert.equal((await stranger("POST", path, body)).status, 401, "a stranger may do nothing");
    assert.equal((await stranger("POST", "/askline/v1/asks", body)).status, 401);
  }
  assert.equal((await ben("POST", path, answer)).status, 404, "Ben cannot answer for Ana");
  const forged = await ana("POST", path, answer, "https://evil.example.com");
  assert.equal(forged.status, 403, "a page of another origin cannot use Ana's cookie");
  assert.equal(await (await stranger("GET", "/")).text(), "The shop", "the app lives, and has its own paths");

  assert.equal((await ana("POST", path, answer)).status, 200);
  const outcome = await asking;
  assert.deepEqual([outcome.kind, outcome.by.id, outcome.answers[0].selected], ["answered", "ana", ["o1"]]);
}

async function visitor(url, account) {
  const response = await visitorWith(url)("POST", "/sign-in", account);
  assert.equal(response.status, 204);
  return visitorWith(url, response.headers.get("set-cookie").split(";")[0]);
}

/** Sends requests as a page of the app would, with this cookie. */
function visitorWith(url, cookie) {
  return (method, path, body, origin = url) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        ...(cookie !== undefined && { cookie }),
        ...(method !== "GET" && { origin }),
        ...(path.endsWith("/") && { accept: "text/html" }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

async function asksOf(person) {
  return (await (await person("GET", "/askline/v1/asks")).json()).asks;
}
