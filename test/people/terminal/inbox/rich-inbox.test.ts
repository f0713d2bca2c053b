import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { AskInput } from "../../../../src/index.ts";
import { until } from "../../../server/open-server.ts";
import { type OpenedInbox, type OpenInboxOptions, openInbox } from "./open.ts";

let inbox: OpenedInbox | undefined;
afterEach(async () => {
  await inbox?.close();
  inbox = undefined;
});

async function start(options: OpenInboxOptions = {}): Promise<OpenedInbox> {
  inbox = await openInbox(options);
  return inbox;
}

const AUTH: AskInput = {
  questions: [{ question: "Which authentication?", options: ["OAuth", "API key"] }],
  ...{ session: "api", agentId: "builder", metadata: { project: "gate" } },
};
const DEPLOY: AskInput = {
  approval: { actions: [{ name: "deploy", args: { to: "production" } }] },
  ...{ agentId: "shipper", timeoutMs: 600_000 },
};
const NAME: AskInput = { questions: [{ question: "Which name?" }] };

describe("the inbox on the screen", () => {
  it("lists what is pending: age, agent, project, session, deadline, and whether an agent waits", async () => {
    const { screen, hub, clock, live, terminal } = await start({ asks: [AUTH, DEPLOY, NAME] });
    const [, , third] = live.entries;
    void hub.wait(third?.ask.id ?? "").catch(() => undefined);
    await clock.advance(60_000);
    await until(() => live.entries[2]?.awaited || undefined);
    await clock.advance(10_000);
    expect(await screen()).toEqual([
      "Inbox · 3 questions are waiting · http://127.0.0.1:4780",
      "",
      "❯ Which authentication?",
      "    1 minute ago · agent not waiting · from local › builder · project gate",
      "    session api",
      "  Approve deploy?",
      "    1 minute ago · ends in 9 minutes · agent not waiting · from local › shipper",
      "  Which name?",
      "    1 minute ago · agent waiting · from local",
      "",
      "Enter open · ↑↓ move · / search · f filter · q leave · ? all keys · d decline",
      "c say something else · m mute or unmute the agent · D decline all of the agent",
    ]);
    expect(terminal.cursor()).toEqual({ row: 3, column: 0 });
  });

  it("was painted for each of thousands of questions that came at once", async () => {
    const { screen, titles, press, hub, live, clock } = await start({
      asks: Array.from({ length: 101 }, () => NAME),
    });
    const before = titles.length;
    for (let count = 0; count < 50; count += 1) await hub.post(NAME, { asker: "local" });
    await until(() => live.size === 151 || undefined);
    expect(titles.length - before).toBe(0);
    // A key is not held up, and what came is shown soon.
    await press("j");
    expect((await screen())[3]).toMatch(/^❯/);
    await clock.advance(100);
    expect(titles.length - before).toBe(1);
    expect((await screen())[0]).toContain("151 questions are waiting");
  });

  it("opens, declines and replies to what is under the cursor, and takes no key in the first moment", async () => {
    const { press, opened, clock, live } = await start({ asks: [AUTH, DEPLOY] });
    const [first, second] = live.entries.map(({ ask }) => ask.id);
    await press("\r");
    await press("\r", "d");
    expect(opened.map(({ ask }) => ask.id)).toEqual([first]);
    await clock.advance(250);
    await press("j", "d");
    await clock.advance(250);
    await press("c");
    expect(opened.map(({ ask, first: wanted }) => [ask.id, wanted?.type])).toEqual([
      [first, undefined],
      [second, "decline"],
      [second, "reply"],
    ]);
  });

  it("shows what comes in and what ends elsewhere, and says by whom; the cursor stays on its ask", async () => {
    const { press, screen, post, hub, live, titles } = await start({ asks: [AUTH, DEPLOY] });
    await press("j");
    const [auth, deploy] = live.entries.map(({ ask }) => ask.id);
    await post(NAME);
    const by = { kind: "person", id: "bo", surface: "page" } as const;
    await hub.answer(auth ?? "", { answers: [{ question: "q1", selected: ["o1"] }] }, { by });
    await until(() => (live.entries.length === 2 ? true : undefined));
    const shown = await screen();
    expect(shown.filter((line) => /^(❯|✔| {2}\S)/.test(line))).toEqual([
      "❯ Approve deploy?",
      "  Which name?",
      "✔ Answered by bo (page). Which authentication?",
    ]);
    expect(titles.at(-1)).toBe("(2) Askline");
    // The one under the cursor ends: the next takes its place.
    await hub.decline(deploy ?? "", undefined, { by });
    await until(() => (live.entries.length === 1 ? true : undefined));
    expect((await screen()).filter((line) => line.startsWith("❯"))).toEqual(["❯ Which name?"]);
  });

  it("searches and filters, and an empty result says so", async () => {
    const { press, screen } = await start({ asks: [AUTH, DEPLOY, NAME] });
    const titles = async () => (await screen()).filter((line) => /^(❯| {2}\S)/.test(line));
    await press("/", "gate");
    expect((await screen()).slice(0, 2)).toEqual([
      "Inbox · 1 of 3 shown · http://127.0.0.1:4780",
      "Search: gate",
    ]);
    expect(await titles()).toEqual(["❯ Which authentication?"]);
    await press("zzz");
    expect(await screen()).toContain("No question matches.");
    await press("\x1b", "f", "f");
    expect(await titles()).toEqual(["❯ Approve deploy?"]);
    await press("\x1b");
    expect(await titles()).toHaveLength(3);
  });

  it("shows an outage, keeps the list, and goes on by itself", async () => {
    const { screen, reachable, clock, live, post } = await start({ asks: [AUTH] });
    reachable(false);
    await clock.advance(5_000);
    await until(() => live.awaySince ?? undefined);
    expect((await screen())[1]).toMatch(
      /^No connection to http:\/\/127\.0\.0\.1:4780 since \d\d:\d\d\. Trying/,
    );
    expect(await screen()).toContain("❯ Which authentication?");
    reachable(true);
    await post(NAME);
    await clock.advance(5_000);
    await until(() => (live.awaySince === undefined ? true : undefined));
    expect((await screen()).filter((line) => /^(❯| {2}\S)/.test(line))).toEqual([
      "❯ Which authentication?",
      "  Which name?",
    ]);
  });

  it("speaks Vietnamese", async () => {
    const { screen } = await start({ locale: "vi_VN.UTF-8" });
    expect((await screen())[0]).toContain("Hộp thư · không có gì đang chờ");
  });

  it("leaves with q, and the screen is as it was", async () => {
    const { press, ended, screen, titles } = await start({ asks: [AUTH] });
    await press("q");
    expect(await ended).toBe("left");
    expect(await screen()).toEqual([]);
    expect(titles.at(-1)).toBeUndefined();
  });

  it.each([
    [10, 3],
    [44, 18],
    [300, 50],
    [20, 5],
  ])("reaches every one of 120 asks on %i columns and %i rows", async (columns, rows) => {
    const asks = Array.from({ length: 120 }, (_, index) => ({ questions: [{ question: `Ask ${index}?` }] }));
    const { press, screen, terminal } = await start({ asks, size: [columns, rows] });
    const seen = new Set<string>();
    for (let index = 0; index < 120; index += 1) {
      const [line = ""] = (await screen()).filter((one) => one.startsWith("❯"));
      seen.add(line.trim());
      expect((await screen()).every((one) => one.length <= columns)).toBe(true);
      const { row } = terminal.cursor();
      expect(terminal.cell(row, 0).text).toBe("❯");
      await press("j");
      // The row for the rest of the agent.
      if (index === 19) await press("\r");
    }
    expect(seen.size).toBe(120);
  });

  it("hid an honest ask below hundreds of another agent", async () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ questions: [{ question: `Ask ${index}?` }] }));
    const { press, screen, hub, live, opened, clock } = await start({ asks: many, size: [60, 40] });
    await hub.post({ questions: [{ question: "Honest?" }] }, { asker: "shipper" });
    await until(() => live.size === 201 || undefined);
    await clock.advance(100);
    const rows = (): Promise<readonly string[]> => screen().then((lines) => lines.map((line) => line.trim()));
    await press("G");
    expect(await rows()).toEqual(expect.arrayContaining(["180 more of local", "❯ Honest?"]));
    expect((await rows())[0]).toContain("201 questions are waiting");
    await press("k");
    expect(await rows()).toContain("❯ 180 more of local");
    // Declines nothing: it opens.
    await press("d");
    expect(opened).toEqual([]);
    expect(await rows()).toContain("❯ Ask 20?");
    await press("\x1b");
    await clock.advance(100);
    expect(await rows()).toContain("❯ 180 more of local");
  });
});

describe("an agent that asks much", () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ questions: [{ question: `Ask ${index}?` }] }));

  it("is muted by one key, its asks are one row that opens, and the key ends it", async () => {
    const { press, screen, hub, live } = await start({ asks: many, size: [80, 40] });
    await hub.post({ questions: [{ question: "Honest?" }] }, { asker: "shipper" });
    await until(() => live.size === 31 || undefined);
    await press("m");
    await until(async () => (await screen()).includes("❯ 30 questions of local, muted") || undefined);
    expect(await screen()).toContain("  Honest?");
    expect((await screen())[1]).toBe(
      "local is muted: it sends you no messages, and its questions are one row.",
    );
    await press("\r");
    expect(await screen()).toEqual(expect.arrayContaining(["❯ Ask 0?", "  Honest?"]));
    await press("\x1b", "m");
    await until(async () => (await screen()).includes("  10 more of local") || undefined);
    expect((await screen())[1]).toBe("local is no longer muted.");
  });

  it("is declined by a key and a yes; what ended meanwhile, or came since, is not counted", async () => {
    const { press, screen, hub, live, clock } = await start({ asks: many });
    await press("D");
    expect((await screen())[1]).toBe("Decline 30 questions of local?");
    expect((await screen()).at(-1)).toBe("y decline all of the agent · n keep them");
    await press("d", "\r", "n");
    expect((await screen())[1]).not.toContain("Decline");
    expect(live.size).toBe(30);
    await press("D");
    const [first] = live.entries;
    await hub.withdraw(first?.ask.id ?? "");
    await hub.post({ questions: [{ question: "New?" }] }, { asker: "local" });
    await until(() => live.entries.some(({ ask }) => ask.questions[0]?.question === "New?") || undefined);
    await press("y");
    await until(() => live.size === 1 || undefined);
    await clock.advance(100);
    await until(
      async () => /^Declined 29 of 30 questions of local;/.test((await screen())[1] ?? "") || undefined,
    );
    expect(await screen()).toContain("❯ New?");
    const { asks } = await hub.list({ status: "declined" }, { limit: 50 });
    expect(asks).toHaveLength(29);
  });

  it("is declined as far as the search goes", async () => {
    const lint = Array.from({ length: 3 }, () => ({ questions: [{ question: "Fix the lint?" }] }));
    const { press, screen, live } = await start({ asks: [...lint, ...many] });
    await press("/", ..."lint", "\r", "D");
    expect(await screen()).toContain("Decline 3 questions of local?");
    await press("y");
    await until(() => live.size === 30 || undefined);
  });
});

describe("hostile text in the inbox", () => {
  const hostile = fc
    .array(
      fc.constantFrom(
        ...[
          "\x1b[2J",
          "\x1b]52;c;aGk=\x07",
          "\u202e",
          "\u2066",
          "\0",
          "\x07",
          "\r",
          "\n",
          "\t",
          "\\n",
          "\x9b31m",
        ],
        ...["عربي", "界面", "👩‍👩‍👧", "e\u0301", "word", " ", "x".repeat(300)],
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => `a${parts.join("")}`);

  it("stays within its cells, whatever an agent writes", async () => {
    await fc.assert(
      fc.asyncProperty(
        hostile,
        hostile,
        fc.constantFrom([120, 40] as const, [80, 24] as const, [44, 18] as const, [10, 3] as const),
        async (question, project, size) => {
          const opened = await openInbox({
            size,
            asks: [
              { questions: [{ question }], agentId: "a", metadata: { project } },
              { approval: { actions: [{ name: question.slice(0, 200).replace(/[\n\r\0]/g, " ") }] } },
              NAME,
            ],
          });
          try {
            const before = opened.terminal.lines()[0];
            for (const key of ["j", "j", "k", "/", "a", "\r"]) {
              await opened.press(key);
              const lines = await opened.screen();
              expect(lines.length).toBeLessThanOrEqual(size[1]);
              expect(lines.join("\n")).not.toMatch(
                /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
              );
            }
            expect(before).toBe("$ inbox");
            await opened.press("\x1b", "q");
            expect(await opened.ended).toBe("left");
            expect(opened.terminal.lines().join("").trim()).toBe("$ inbox");
          } finally {
            await opened.close();
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
