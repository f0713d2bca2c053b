import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type CardBrowser, type CardPage, settle, startCards } from "./card-page.ts";

let cards: CardBrowser;
const pages: CardPage[] = [];
beforeAll(async () => {
  cards = await startCards();
});
afterEach(async () => {
  const faults = pages.flatMap((open) => open.faults);
  await Promise.all(pages.splice(0).map(({ page }) => page.context().close()));
  expect(faults).toEqual([]);
});
afterAll(async () => {
  await cards.close();
});

async function open(...args: Parameters<CardBrowser["open"]>): Promise<CardPage> {
  const opened = await cards.open(...args);
  pages.push(opened);
  await settle(opened.page);
  return opened;
}

async function sent(card: CardPage): Promise<readonly unknown[]> {
  return (await card.events()).filter(([name]) => name !== "draft" && name !== "settled");
}

const AUTH = {
  questions: [
    {
      question: "Which authentication?",
      header: "Auth",
      options: [{ label: "OAuth (Recommended)", description: "An account they have" }, "API key"],
    },
  ],
};
const SEVERAL = {
  allowPartial: true,
  questions: [
    { ...AUTH.questions[0], question: "Which authentication?" },
    {
      question: "Which regions?",
      header: "Regions",
      multiSelect: true,
      maxPicks: 2,
      options: ["EU", "US", "Asia"],
    },
    { question: "Anything else?", options: [] },
  ],
};
const BASH = { approval: { actions: [{ name: "Bash", args: { command: "rm -rf dist", timeout: 5 } }] } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

describe("one question", () => {
  it("is answered with a click and a confirm, and then shown with its answer", async () => {
    const opened = await open(AUTH, { properties: { person: "ana" } });
    const { card, events } = opened;
    await card.getByRole("radio", { name: "API key" }).click();
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByRole("heading", { name: /^Answered by you on/ }).waitFor();
    expect(await card.getByText("API key").count()).toBe(1);
    expect((await events()).filter(([name]) => name !== "draft")).toMatchObject([
      ["answer", { id: "", answers: [{ question: "q1", selected: ["o2"] }] }],
      [
        "settled",
        { ours: true, outcome: { kind: "answered", by: { kind: "person", id: "ana", surface: "card" } } },
      ],
    ]);
  });

  it("is answered by one tap with answerOnPick, at 360 px", async () => {
    const opened = await open(AUTH, { ...PHONE, properties: { answerOnPick: true } });
    await opened.card.getByText("API key").tap();
    await opened.card.getByRole("heading", { name: /^Answered/ }).waitFor();
    expect(await sent(opened)).toMatchObject([["answer", { answers: [{ selected: ["o2"] }] }]]);
  });

  it("has the badge in the place of the words in the label", async () => {
    const { card } = await open(AUTH);
    const radio = card.getByRole("radio", { name: "OAuth recommended", exact: true });
    expect(await radio.count()).toBe(1);
    expect(
      await radio.evaluate(
        (input) =>
          (input.getRootNode() as ShadowRoot).getElementById(input.getAttribute("aria-describedby") ?? "")
            ?.textContent,
      ),
    ).toBe("An account they have");
  });

  it("says at the field what is missing, and moves the focus nowhere else", async () => {
    const { card, page } = await open(AUTH);
    await card.getByRole("button", { name: "Send" }).click();
    await card.locator("#issue-choice").getByText("Choose an option or type an answer.").waitFor();
    expect(await card.getByRole("status").textContent()).toContain("Choose an option");
    await card.getByRole("radio", { name: "Other" }).click();
    await page.keyboard.type("SAML");
    expect(await card.getByRole("textbox").inputValue()).toBe("SAML");
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByRole("heading", { name: /^Answered/ }).waitFor();
  });

  it("waits for the page to store the answer, and takes it again after a failure", async () => {
    const { card, page } = await open(AUTH);
    await page.evaluate(() => {
      let tries = 0;
      document.querySelector("askline-card")?.addEventListener("answer", ({ detail }) => {
        tries += 1;
        detail.waitUntil(tries === 1 ? Promise.reject(new Error("offline")) : Promise.resolve());
      });
    });
    await card.getByRole("radio", { name: "API key" }).click();
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByText("Nothing is lost: send it again.").first().waitFor();
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByRole("heading", { name: /^Answered/ }).waitFor();
  });

  it("is declined with a reason, or replied to, and says so", async () => {
    const declined = await open(AUTH);
    await declined.card.getByRole("button", { name: "Decline to answer" }).click();
    await declined.card.getByRole("textbox", { name: "Reason" }).fill("Not mine");
    await settle(declined.page);
    await declined.card.getByRole("button", { name: "Decline to answer" }).click();
    await declined.card.getByRole("heading", { name: /^Declined by/ }).waitFor();
    expect(await sent(declined)).toMatchObject([["decline", { reason: "Not mine" }]]);
    const replied = await open(AUTH);
    await replied.card.getByRole("button", { name: "Say something else instead" }).click();
    await replied.card
      .getByRole("textbox", { name: "Message" })
      .and(replied.page.locator(":focus"))
      .waitFor();
    await replied.page.keyboard.type("What is it for?");
    await replied.page.keyboard.press("Enter");
    await replied.card.getByText("What is it for?").waitFor();
    expect(await sent(replied)).toMatchObject([["reply", { text: "What is it for?" }]]);
  });
});

describe("several questions", () => {
  it("are answered by the keyboard alone, with the focus on each heading", async () => {
    const opened = await open(SEVERAL);
    const { card, page, events } = opened;
    const focused = () =>
      page.evaluate(
        () => document.querySelector("askline-card")?.shadowRoot?.activeElement?.textContent ?? "",
      );
    await card.evaluate((element) => element.focus());
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await card.getByRole("radio", { checked: true }).count()).toBe(0);
    await page.keyboard.press("Enter");
    await expect.poll(focused).toMatch(/Which regions\?/);
    await page.keyboard.press("1");
    await page.keyboard.press("3");
    expect(await card.getByRole("checkbox", { checked: true }).count()).toBe(2);
    expect(await card.getByRole("checkbox", { name: "US" }).isDisabled()).toBe(true);
    await page.keyboard.press("n");
    await page.keyboard.type("only at first");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toMatch(/Anything else\?/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type("1 more thing");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toMatch(/Review your answers/);
    await page.keyboard.press("Control+Enter");
    await card.getByRole("heading", { name: /^Answered/ }).waitFor();
    await expect.poll(focused).toMatch(/^Answered/);
    expect(await sent(opened)).toMatchObject([
      [
        "answer",
        {
          answers: [
            { question: "q1", selected: ["o2"] },
            { question: "q2", selected: ["o1", "o3"], note: "only at first" },
            { question: "q3", selected: [], text: "1 more thing" },
          ],
        },
      ],
    ]);
    expect((await events()).at(-1)?.[0]).toBe("settled");
  });

  it("are answered by touch at 360 px: chips, skipping, a change in the review", async () => {
    const opened = await open(SEVERAL, PHONE);
    const { card, page } = opened;
    await card.getByText("API key").tap();
    await card.getByRole("button", { name: "Next" }).tap();
    await card.getByText("US", { exact: true }).tap();
    await card.getByRole("button", { name: "Next" }).tap();
    await card.getByRole("button", { name: "Skip this question" }).tap();
    await card.getByRole("button", { name: "Next" }).tap();
    await card.getByRole("button", { name: "Change: Regions" }).tap();
    await card.getByText("EU", { exact: true }).tap();
    await card.getByRole("button", { name: "Review", exact: true }).tap();
    await settle(page);
    await card.getByRole("button", { name: "Send" }).tap();
    await card.getByRole("heading", { name: /^Answered/ }).waitFor();
    expect(await sent(opened)).toMatchObject([
      ["answer", { answers: [{ selected: ["o2"] }, { selected: ["o1", "o2"] }, { skipped: true }] }],
    ]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });

  it("have targets of 44 px at 360 px", async () => {
    const { card } = await open(SEVERAL, PHONE);
    const small = await card.evaluate((element) =>
      [...(element.shadowRoot?.querySelectorAll("button, .option, textarea") ?? [])]
        .map((one) => one.getBoundingClientRect())
        .filter(({ width, height }) => width < 44 || height < 44)
        .map(({ width, height }) => `${width} x ${height}`),
    );
    expect(small).toEqual([]);
  });

  it("go on where a draft left them, and hand their own to the page", async () => {
    const first = await open(SEVERAL);
    await first.card.getByText("API key").click();
    await first.card.getByRole("button", { name: "Next" }).click();
    await expect
      .poll(async () => (await first.events()).filter(([name]) => name === "draft").length)
      .toBeGreaterThan(0);
    const [, detail] = (await first.events()).findLast(([name]) => name === "draft") ?? [];
    const second = await open(SEVERAL, { properties: { draft: detail?.draft } });
    await second.card.getByRole("button", { name: /Auth.*answered/ }).click();
    expect(await second.card.getByRole("radio", { name: "API key" }).isChecked()).toBe(true);
  });
});

describe("an approval", () => {
  it("shows the whole of what would run, and approving and rejecting are one click each", async () => {
    const approved = await open(BASH);
    expect(await approved.card.locator(".command").textContent()).toBe("rm -rf dist");
    expect(await approved.card.getByText("timeout").count()).toBe(1);
    await approved.card.getByRole("button", { name: "Approve", exact: true }).click();
    await approved.card.getByText("Approved", { exact: true }).waitFor();
    const rejected = await open(BASH, PHONE);
    await rejected.card.getByRole("button", { name: "Reject", exact: true }).tap();
    await rejected.card.getByText("Rejected", { exact: true }).waitFor();
    expect([await sent(approved), await sent(rejected)]).toMatchObject([
      [["decide", { decisions: [{ action: "a1", kind: "approve" }] }]],
      [["decide", { decisions: [{ action: "a1", kind: "reject" }] }]],
    ]);
  });

  it("is approved with changed arguments, after their errors were shown", async () => {
    const opened = await open(BASH);
    const { card } = opened;
    await card.getByRole("button", { name: "Change the arguments" }).click();
    const field = card.getByRole("textbox", { name: "Arguments" });
    await field.fill('{ "command": ');
    await card.getByRole("button", { name: "Approve with changes" }).click();
    await card.locator(".issues").getByText("This is not valid JSON: see line 1, column 14.").waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await field.fill('{ "command": "ls" }');
    await card.getByRole("button", { name: "Approve", exact: true }).click();
    await card.locator(".issues").getByText("The arguments were changed").waitFor();
    await card.getByRole("button", { name: "Approve with changes" }).click();
    await card.getByText("Approved with changes", { exact: true }).waitFor();
    expect(await sent(opened)).toMatchObject([
      ["decide", { decisions: [{ action: "a1", kind: "edit", args: { command: "ls" } }] }],
    ]);
  });

  it("is rejected with a reason by keys alone", async () => {
    const opened = await open(BASH);
    await opened.card.evaluate((element) => element.focus());
    await opened.page.keyboard.press("x");
    await opened.page.keyboard.type("Not on a Friday");
    await opened.page.keyboard.press("Enter");
    await opened.card.getByText("Not on a Friday").waitFor();
    expect(await sent(opened)).toMatchObject([
      ["decide", { decisions: [{ kind: "reject", message: "Not on a Friday" }] }],
    ]);
  });

  it("shows several actions at once, a change as a difference, and sends when all are decided", async () => {
    const opened = await open({
      approval: {
        actions: [
          { name: "Edit", args: { file_path: "a.ts", old_string: "one\ntwo", new_string: "one\n2" } },
          { name: "Plan", args: { plan: "1. **Measure**" }, allow: ["approve", "reject"] },
          { name: "Patch", args: { diff: "@@ -1 +1 @@\n-x\n+y", deep: { list: [1, { a: null }] } } },
        ],
      },
    });
    const { card } = opened;
    const lines = await card
      .locator(".line")
      .evaluateAll((all) => all.map((line) => [line.className, line.querySelector(".code")?.textContent]));
    expect(lines).toEqual([
      ["line same", "one"],
      ["line removed", "two"],
      ["line added", "2"],
      ["line place", "@@ -1 +1 @@"],
      ["line removed", "x"],
      ["line added", "y"],
    ]);
    await card.locator("strong").getByText("Measure").waitFor();
    await card
      .getByRole("radiogroup", { name: /Edit/ })
      .getByRole("radio", { name: "Approve", exact: true })
      .click();
    await card.getByRole("button", { name: "Send" }).click();
    expect(await card.getByText("Approve or reject this action.").count()).toBeGreaterThanOrEqual(2);
    await card.getByRole("radiogroup", { name: /Plan/ }).getByRole("radio", { name: "Reject" }).click();
    await card
      .getByRole("radiogroup", { name: /Patch/ })
      .getByRole("radio", { name: "Approve", exact: true })
      .click();
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByRole("heading", { name: /^Decided/ }).waitFor();
    expect(await sent(opened)).toMatchObject([
      ["decide", { decisions: [{ kind: "approve" }, { kind: "reject" }, { kind: "approve" }] }],
    ]);
  });
});

describe("clicks and keys that were not meant", () => {
  it("took a click in the first 300 ms after it appeared under the pointer", async () => {
    const { page } = await open();
    const answered = await page.evaluate(async () => {
      const card = document.createElement("askline-card");
      card.answerOnPick = true;
      card.ask = { questions: [{ question: "Ship?", freeText: false, options: ["Yes"] }] };
      let count = 0;
      card.addEventListener("answer", () => {
        count += 1;
      });
      document.querySelector("main")?.append(card);
      // A frame may take longer than the card waits; the change itself does not.
      await new Promise<void>((done) => {
        const watching = new MutationObserver(() => card.shadowRoot?.querySelector("label") && done());
        watching.observe(card.shadowRoot as ShadowRoot, { childList: true, subtree: true });
      });
      const click = { bubbles: true, composed: true, cancelable: true, detail: 1 };
      card.shadowRoot?.querySelector("label")?.dispatchEvent(new MouseEvent("click", click));
      card.shadowRoot?.querySelector("input")?.dispatchEvent(new MouseEvent("click", click));
      await new Promise(requestAnimationFrame);
      return count;
    });
    const card = page.locator("askline-card");
    expect(answered).toBe(0);
    expect(await card.getByRole("radio").isChecked()).toBe(false);
    await card.getByText("Nothing was sent").first().waitFor();
    await settle(page);
    await card.getByText("Yes").click();
    await card.getByRole("heading", { name: /^Answered/ }).waitFor();
  });

  it("approved by the click that brought the window to the front", async () => {
    const opened = await open(BASH);
    const approve = opened.card.getByRole("button", { name: "Approve", exact: true });
    await opened.page.evaluate(async () => {
      // Another window comes to the front, and goes.
      document.hasFocus = () => false;
      window.dispatchEvent(new FocusEvent("blur"));
      await new Promise((done) => setTimeout(done));
      document.hasFocus = () => true;
      window.dispatchEvent(new FocusEvent("focus"));
    });
    await approve.click();
    expect(await sent(opened)).toEqual([]);
    await settle(opened.page);
    await approve.click();
    await opened.card.getByText("Approved", { exact: true }).waitFor();
  });

  it("sent an answer while an input method was composing it", async () => {
    const opened = await open({ questions: [{ question: "Your name?", options: [] }] });
    await opened.card.getByRole("textbox").fill("たな");
    await opened.card.getByRole("textbox").evaluate((field) => {
      field.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, composed: true }),
      );
      field.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, composed: true }),
      );
    });
    expect(await sent(opened)).toEqual([]);
    await opened.page.keyboard.press("Enter");
    await opened.card.getByRole("heading", { name: /^Answered/ }).waitFor();
  });
});

describe("languages and directions", () => {
  it("speaks Vietnamese", async () => {
    const { card } = await open(AUTH, { properties: { locale: "vi-VN" } });
    await card.getByRole("button", { name: "Gửi" }).click();
    await card.locator("#issue-choice").getByText("Hãy chọn hoặc nhập câu trả lời.").waitFor();
    expect(await card.getByRole("radio", { name: "Khác" }).count()).toBe(1);
  });

  it("is laid out from right to left in such a page", async () => {
    const { card, page } = await open({
      questions: [{ question: "איזה אימות?", options: ["OAuth", "מפתח"] }],
    });
    await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
    const [input, label] = await Promise.all([
      card.getByRole("radio", { name: "OAuth" }).boundingBox(),
      card.getByText("OAuth", { exact: true }).boundingBox(),
    ]);
    expect(input?.x).toBeGreaterThan(label?.x ?? 0);
    await card.getByRole("radio", { name: "מפתח" }).click();
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByRole("heading", { name: /^Answered/ }).waitFor();
  });
});

it("turned a command around in a page from right to left", async () => {
  const { card, page } = await open({
    context: "`ls /`",
    approval: { actions: [{ name: "shell", args: { command: "rm -rf /" } }] },
  });
  await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
  const ends = await card.locator("code").evaluateAll((codes) =>
    codes.map((code) => {
      const text = code.firstChild?.nodeType === Node.TEXT_NODE ? code.firstChild : code.childNodes[1];
      const place = (from: number): number => {
        const range = document.createRange();
        range.setStart(text as Node, from);
        range.setEnd(text as Node, from + 1);
        return range.getBoundingClientRect().x;
      };
      return place(0) < place((text?.textContent?.length ?? 1) - 1);
    }),
  );
  expect(ends).toEqual([true, true]);
});

describe("an ask that has ended", () => {
  it("closes an open card when the page says so, and keeps what was typed in sight", async () => {
    const { card } = await open({ ...AUTH, id: "ask_9" });
    await card.getByRole("radio", { name: "Other" }).click();
    await card.getByRole("textbox").fill("SAML, because of the bank");
    await card.evaluate((element) => {
      const outcome = { kind: "withdrawn", reason: "Found it" };
      const shown = element as unknown as { ask: object };
      shown.ask = { ...shown.ask, outcome };
    });
    await card.getByRole("heading", { name: /^Withdrawn by the agent/ }).waitFor();
    await card.getByText("SAML, because of the bank").waitFor();
  });

  it.each([
    [{ kind: "expired" }, "Expired before anyone answered"],
    [{ kind: "withdrawn", reason: "Found it" }, "Withdrawn by the agent"],
    [
      { kind: "declined", reason: "No", by: { kind: "person", id: "bo", surface: "phone" } },
      "Declined by bo (phone)",
    ],
    [
      {
        kind: "answered",
        answers: [{ question: "q1", selected: ["o1"] }],
        by: { kind: "policy", name: "deadline" },
      },
      "Answered by the rule “deadline”",
    ],
  ] as const)("says how: %j", async (outcome, title) => {
    const { card } = await open({ ...AUTH, id: "ask_9", outcome, settledAt: 1_800_000_000_000 } as never);
    expect(await card.getByRole("heading").first().textContent()).toContain(title);
    expect(await card.getByRole("button").count()).toBe(0);
    expect(await card.getByText("Which authentication?").count()).toBe(1);
  });
});
