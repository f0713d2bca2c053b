import type { AskInput } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import { check, checkEqual, checkRejects } from "../check.js";
import { turnOfEvents, whileTimePasses } from "../fake-clock.js";
import type { ScriptedEnding } from "../scripted-answerer.js";
import { clockOf, type ResolverCase, resolverCase } from "./harness.js";

const ASK: AskInput = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] };
const YES: ScriptedEnding = { type: "answer", answers: [{ question: "q1", selected: ["o1"] }] };
const LEAVE: ScriptedEnding = { type: "leave" };

/** Everything besides answers: aborts, deadlines, keys, mistakes. */
export const lifecycleCases: readonly ResolverCase[] = [
  resolverCase(
    "a signal that is already aborted withdraws the ask, and nobody is asked",
    [],
    async ({ open }) => {
      const scripted = await open(() => YES);
      const outcome = await scripted.ask(ASK, AbortSignal.abort());
      checkEqual(outcome.kind, "withdrawn", "the outcome");
      await turnOfEvents();
      checkEqual(scripted.asked.length, 0, "how many asks reached the person");
    },
  ),

  resolverCase("a signal that aborts while the ask is pending withdraws it", [], async ({ open }) => {
    const scripted = await open(() => LEAVE);
    const controller = new AbortController();
    const ending = scripted.ask(ASK, controller.signal);
    await scripted.reached();
    controller.abort();
    checkEqual((await ending).kind, "withdrawn", "the outcome");
  }),

  resolverCase("a signal that aborts with a custom reason also withdraws the ask", [], async ({ open }) => {
    const scripted = await open(() => LEAVE);
    const controller = new AbortController();
    const ending = scripted.ask(ASK, controller.signal);
    await scripted.reached();
    controller.abort(new Error("the agent was stopped"));
    checkEqual((await ending).kind, "withdrawn", "the outcome");
  }),

  resolverCase("a signal that aborts after the end changes nothing", ["keys"], async ({ open }) => {
    const scripted = await open(() => YES);
    const controller = new AbortController();
    const request: AskInput = { ...ASK, session: "s", key: "call_1" };
    const outcome = await scripted.ask(request, controller.signal);
    controller.abort();
    await turnOfEvents();
    checkEqual(outcome.kind, "answered", "the outcome");
    checkEqual(await scripted.ask(request), outcome, "the outcome when asked again");
  }),

  resolverCase("an abort of one ask leaves the others pending", [], async ({ open }) => {
    const { released, release } = gate();
    const scripted = await open(async () => {
      await released;
      return YES;
    });
    const controller = new AbortController();
    const withdrawn = scripted.ask(ASK, controller.signal);
    const kept = scripted.ask(ASK);
    await scripted.reached(2);
    controller.abort();
    checkEqual((await withdrawn).kind, "withdrawn", "the aborted ask");
    release();
    checkEqual((await kept).kind, "answered", "the other ask");
  }),

  resolverCase("an invalid ask is refused with its issues, and nobody is asked", [], async ({ open }) => {
    const scripted = await open(() => YES);
    const wrong: readonly AskInput[] = [
      {},
      { questions: [] },
      { questions: [{ question: " " }] },
      { questions: [{ question: "Same?", options: ["A", "A"] }] },
    ];
    for (const request of wrong) {
      const error = await checkRejects("invalid_ask", scripted.ask(request), JSON.stringify(request));
      check((error.issues?.length ?? 0) > 0, "the error must have issues");
    }
    checkEqual(scripted.asked.length, 0, "how many asks reached the person");
  }),

  resolverCase("an ask expires at its deadline, not before", ["clock"], async (scope) => {
    const clock = clockOf(scope);
    const scripted = await scope.open(() => LEAVE);
    let ended = false;
    const ending = scripted.ask({ ...ASK, timeoutMs: 60_000 }).finally(() => {
      ended = true;
    });
    ending.catch(() => undefined);
    await scripted.reached();
    await clock.advance(59_999);
    check(!ended, "it ended before its deadline");
    await clock.advance(1);
    checkEqual((await whileTimePasses(clock, ending)).kind, "expired", "the outcome");
  }),

  ...[
    ["an ask without a deadline does not expire", ASK] as const,
    [
      "an ask that waits at its deadline stays pending, and an answer after it counts",
      { ...ASK, timeoutMs: 1_000, onDeadline: "wait" },
    ] as const,
  ].map(([name, request]) =>
    resolverCase(name, ["clock"], async (scope) => {
      const clock = clockOf(scope);
      const { released, release } = gate();
      const scripted = await scope.open(async () => {
        await released;
        return YES;
      });
      const ending = scripted.ask(request);
      ending.catch(() => undefined);
      await scripted.reached();
      await clock.advance(90_000);
      release();
      checkEqual((await whileTimePasses(clock, ending)).kind, "answered", "the outcome");
    }),
  ),

  resolverCase("a wall clock jump does not expire an ask", ["clock"], async (scope) => {
    const clock = clockOf(scope);
    const { released, release } = gate();
    const scripted = await scope.open(async () => {
      await released;
      return YES;
    });
    const ending = scripted.ask({ ...ASK, timeoutMs: 60_000 });
    await scripted.reached();
    clock.jumpWall(86_400_000);
    await clock.advance(1_000);
    clock.jumpWall(-86_400_000);
    release();
    checkEqual((await ending).kind, "answered", "the outcome");
  }),

  resolverCase("an answer before the deadline counts", ["clock"], async (scope) => {
    const clock = clockOf(scope);
    const scripted = await scope.open(() => YES);
    const outcome = await scripted.ask({ ...ASK, timeoutMs: 60_000 });
    await clock.advance(120_000);
    checkEqual(outcome.kind, "answered", "the outcome");
  }),

  resolverCase(
    "at the deadline the recommended options are chosen if the ask says so",
    ["clock"],
    async (scope) => {
      const clock = clockOf(scope);
      const scripted = await scope.open(() => LEAVE);
      const request: AskInput = {
        questions: [{ question: "Ship it?", options: ["Yes", { label: "No", recommended: true }] }],
        timeoutMs: 1_000,
        onDeadline: "recommended",
      };
      const ending = scripted.ask(request);
      ending.catch(() => undefined);
      await scripted.reached();
      await clock.advance(1_000);
      checkEqual(
        { ...(await whileTimePasses(clock, ending)), choices: undefined },
        {
          kind: "answered",
          answers: [{ question: "q1", selected: ["o2"] }],
          by: { kind: "policy", name: "recommended" },
        },
        "the outcome",
      );
    },
  ),

  resolverCase("the same session and key ask once, concurrently and later", ["keys"], async ({ open }) => {
    let count = 0;
    const scripted = await open(() => {
      count += 1;
      return { type: "decline", reason: `answer ${count}` };
    });
    const request: AskInput = { ...ASK, session: "s", key: "call_1" };
    const outcomes = await Promise.all([scripted.ask(request), scripted.ask(request), scripted.ask(request)]);
    outcomes.push(await scripted.ask(request));
    for (const outcome of outcomes) checkEqual(outcome, outcomes[0], "the outcome of each call");
    checkEqual(scripted.asked.length, 1, "how many asks reached the person");
  }),

  resolverCase("the same key in another session is another ask", ["keys"], async ({ open }) => {
    const scripted = await open(({ session }) => ({ type: "decline", reason: `in ${session}` }));
    const reasons = async (session: string): Promise<Outcome> =>
      scripted.ask({ ...ASK, session, key: "call_1" });
    const [one, other] = await Promise.all([reasons("one"), reasons("other")]);
    check(one.kind === "declined" && one.reason === "in one", "the first session has its own outcome");
    check(other.kind === "declined" && other.reason === "in other", "the other session has its own outcome");
  }),

  resolverCase("the same key with other content is refused", ["keys"], async ({ open }) => {
    const scripted = await open(() => YES);
    await scripted.ask({ ...ASK, session: "s", key: "call_1" });
    const other: AskInput = { questions: [{ question: "Something else?" }], session: "s", key: "call_1" };
    await checkRejects("key_conflict", scripted.ask(other), "other content");
    checkEqual(scripted.asked.length, 1, "how many asks reached the person");
  }),

  resolverCase(
    "an invalid answer settles nothing, and the next one counts",
    ["rejection"],
    async ({ open }) => {
      const refusals: unknown[] = [];
      const wrong: readonly ScriptedEnding[] = [
        { type: "answer", answers: [] },
        { type: "answer", answers: [{ question: "q1", selected: ["o9"] }] },
        { type: "answer", answers: [{ question: "q7", selected: ["o1"] }] },
        { type: "answer", answers: [{ question: "q1", selected: ["o1", "o2"] }] },
      ];
      const scripted = await open((_ask, { refused }) => {
        if (refused !== undefined) refusals.push(refused.issues?.length ?? 0);
        return wrong[refusals.length] ?? YES;
      });
      checkEqual((await scripted.ask(ASK)).kind, "answered", "the outcome");
      checkEqual(refusals.length, wrong.length, "how many answers were refused");
      check(!refusals.includes(0), "each refusal must have issues");
    },
  ),
];

function gate(): { readonly released: Promise<void>; release(): void } {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release };
}
