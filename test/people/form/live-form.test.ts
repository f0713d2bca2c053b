import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHub, type Hub, memoryStore } from "../../../src/hub/index.js";
import { type Ask, type AskInput, AsklineError } from "../../../src/index.js";
import { type LiveForm, type LiveFormOptions, openForm } from "../../../src/people/form/live-form.js";
import { viewForm } from "../../../src/people/form/view.js";
import { fakeClock } from "../../../src/testing/index.js";
import { AUTH, WHY } from "./drive.ts";

const clock = fakeClock();
let hub: Hub;
let forms: LiveForm[];
beforeEach(async () => {
  hub = await createHub({ store: memoryStore() });
  forms = [];
});
afterEach(async () => {
  for (const form of forms) await form.close();
  await hub.close();
});

async function openAt(surface: string, ask: Ask, inbox: LiveFormOptions["inbox"] = hub): Promise<LiveForm> {
  const by = { kind: "person", id: "ana", surface } as const;
  const form = await openForm(ask, { inbox, by, clock, onChange: () => undefined });
  forms.push(form);
  return form;
}

const post = (input: AskInput = { questions: [AUTH, WHY] }): Promise<Ask> => hub.post(input);
const typed = (form: LiveForm): string => {
  const part = form.state.parts[1];
  return part?.kind === "answer" ? part.text : "";
};

function say(form: LiveForm, text: string): void {
  form.dispatch({ type: "type", field: "text", text, id: "q2" });
}

describe("a form connected to an inbox", () => {
  it("saves what is typed within two seconds, and no more often than needed", async () => {
    const ask = await post();
    let saves = 0;
    const form = await openAt("terminal", ask, {
      ...hub,
      saveDraft: (id, draft, by) => {
        saves += 1;
        return hub.saveDraft(id, draft, by);
      },
    });
    for (const text of ["b", "be", "bec"]) say(form, text);
    expect(form.saving).toBe("unsaved");
    await clock.advance(1_000);
    expect(form.saving).toBe("saved");
    expect(saves).toBe(1);
    form.dispatch({ type: "move", by: 1 });
    await clock.advance(60_000);
    expect(saves).toBe(1);
    expect(typed(await openAt("page", ask))).toBe("bec");
  });

  it("goes on at another surface, at the same step", async () => {
    const ask = await post();
    const form = await openAt("terminal", ask);
    form.dispatch({ type: "go", step: 1 });
    say(form, "because");
    await form.close();
    const page = await openAt("page", ask);
    expect(viewForm(page.state)).toMatchObject({ from: "terminal", step: { id: "q2" } });
  });

  it("sends, and closes with what stands", async () => {
    const ask = await post({ questions: [AUTH] });
    const form = await openAt("terminal", ask);
    form.dispatch({ type: "confirm" });
    expect(form.state.phase.kind).toBe("sending");
    await hub.wait(ask.id);
    await clock.advance(0);
    expect(viewForm(form.state).ended).toMatchObject({ ours: true, outcome: { kind: "answered" } });
  });

  it("is closed from the start where the ask has ended", async () => {
    const ask = await post();
    const form = await openAt("terminal", await hub.withdraw(ask.id, "too late"));
    expect(viewForm(form.state)).toMatchObject({ phase: "settled", ended: { ours: false } });
  });

  it("closes with the other's outcome where somebody was faster", async () => {
    const ask = await post({ questions: [AUTH] });
    const form = await openAt("terminal", ask);
    await hub.decline(ask.id, "no", { by: { kind: "person", id: "ben", surface: "phone" } });
    form.dispatch({ type: "confirm" });
    await clock.advance(0);
    expect(viewForm(form.state).ended).toMatchObject({
      ours: false,
      outcome: { kind: "declined", by: { id: "ben", surface: "phone" } },
    });
  });

  it("stops saving once the ask has ended, also where a save is the first to say so", async () => {
    const outcome = { kind: "withdrawn", reason: "too late" } as const;
    const form = await openAt("terminal", await post(), {
      ...hub,
      saveDraft: () => Promise.reject(new AsklineError("already_settled", "too late", { outcome })),
    });
    say(form, "because");
    await clock.advance(1_000);
    expect(viewForm(form.state).ended?.outcome).toMatchObject({ kind: "withdrawn" });
    expect(clock.timers).toBe(0);
  });
});

describe("while the server is away", () => {
  it("keeps the text, says so, and saves when it is back", async () => {
    const ask = await post();
    let away = true;
    const form = await openAt("terminal", ask, {
      ...hub,
      draft: (id, by) => (away ? Promise.reject(new Error("away")) : hub.draft(id, by)),
      saveDraft: (id, draft, by) =>
        away ? Promise.reject(new AsklineError("unreachable", "away")) : hub.saveDraft(id, draft, by),
      settle: () => Promise.reject(new AsklineError("unreachable", "away")),
    });
    say(form, "because");
    await clock.advance(1_000);
    expect(form.saving).toBe("failed");
    expect(typed(form)).toBe("because");
    form.dispatch({ type: "pick", row: "option:o1" });
    form.dispatch({ type: "submit" });
    await clock.advance(0);
    expect(viewForm(form.state)).toMatchObject({ phase: "open", refused: "unreachable" });
    away = false;
    await clock.advance(30_000);
    expect(form.saving).toBe("saved");
    expect(typed(await openAt("page", ask))).toBe("because");
  });

  it("tries less and less often", async () => {
    let tries = 0;
    const form = await openAt("terminal", await post(), {
      ...hub,
      saveDraft: () => {
        tries += 1;
        return Promise.reject(new AsklineError("unreachable", "away"));
      },
    });
    say(form, "because");
    await clock.advance(1_000);
    expect(tries).toBe(1);
    await clock.advance(300_000);
    expect(tries).toBeGreaterThan(8);
    expect(tries).toBeLessThan(16);
  });

  it("opens without the draft, and takes it up when it can be fetched", async () => {
    const ask = await post();
    const terminal = await openAt("terminal", ask);
    say(terminal, "because");
    await terminal.close();
    let away = true;
    const page = await openAt("page", ask, {
      ...hub,
      draft: (id, by) => (away ? Promise.reject(new Error("away")) : hub.draft(id, by)),
    });
    expect(typed(page)).toBe("");
    away = false;
    await page.refresh();
    expect(typed(page)).toBe("because");
  });
});

it("two surfaces that type at once end up alike, and stop saving", async () => {
  const ask = await post();
  let saves = 0;
  const counted: LiveFormOptions["inbox"] = {
    ...hub,
    saveDraft: (id, draft, by) => {
      saves += 1;
      return hub.saveDraft(id, draft, by);
    },
  };
  const terminal = await openAt("terminal", ask, counted);
  const page = await openAt("page", ask, counted);
  const stop = hub.onDraft("ana", () => {
    void terminal.refresh();
    void page.refresh();
  });
  for (const turn of [1, 2, 3]) {
    say(terminal, `terminal ${turn}`);
    page.dispatch({ type: "pick", row: "option:o2" });
    await clock.advance(400);
    say(page, `page ${turn}`);
    await clock.advance(700);
  }
  await clock.advance(60_000);
  stop();
  expect(typed(terminal)).toBe("page 3");
  expect(page.state.parts).toEqual(terminal.state.parts);
  expect([terminal.saving, page.saving]).toEqual(["saved", "saved"]);
  expect(terminal.state.kept.length).toBeGreaterThan(0);
  expect(saves).toBeLessThan(15);
  expect(clock.timers).toBe(0);
});

it("says nothing more once it is closed", async () => {
  const ask = await post();
  const form = await openAt("terminal", ask);
  say(form, "because");
  await form.close();
  expect(typed(await openAt("page", ask))).toBe("because");
  say(form, "and");
  expect(typed(form)).toBe("because");
  expect(clock.timers).toBe(0);
});
