import type { AskInput } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { Resolver } from "../../core/model/ports.js";
import { check, checkEqual, SuiteFailure } from "../check.js";
import type { FakeClock } from "../fake-clock.js";
import type { Script, ScriptedAsk } from "../scripted-answerer.js";
import type { SuiteCase, SuiteHarness } from "../suite.js";

export type ResolverNeed =
  /** Deadlines follow the harness's clock. */
  | "clock"
  /** The same session and key ask once. */
  | "keys"
  /** Approvals are shown and decided. */
  | "approvals"
  /** An invalid answer is refused, the ask stays pending, and the script is called again. */
  | "rejection"
  /** The person may reply instead of answering. */
  | "replies";

/** How the suite opens a resolver and plays the person on its other side. */
export interface ResolverHarness extends SuiteHarness<ResolverNeed> {
  /** The clock for deadlines; required unless `lacks.clock` gives a reason. */
  readonly clock?: FakeClock;
  /** The id of the script's person, if the harness chooses it. */
  readonly person?: string;
  /** A resolver whose person settles each ask according to the script. */
  open(script: Script): Promise<OpenResolver>;
}

export interface OpenResolver {
  readonly resolver: Resolver;
  close(): Promise<void>;
}

export type ResolverCase = SuiteCase<ResolverHarness, ResolverNeed>;

/** The tools of a case. */
export interface ResolverScope {
  /** Absent only if the case does not need it. */
  readonly clock: FakeClock | undefined;
  readonly person: string | undefined;
  /** Opens a resolver; a script that throws fails the case at once. */
  open(script: Script): Promise<ScriptedResolver>;
}

export interface ScriptedResolver {
  /** Asks, and checks what holds for every outcome: plain JSON, with an answerer if a person settled it. */
  ask(request: AskInput, signal?: AbortSignal): Promise<Outcome>;
  /** The asks that reached the person, in order. */
  readonly asked: readonly ScriptedAsk[];
  /** Resolves once this many asks have reached the person. */
  reached(count?: number): Promise<void>;
}

export function resolverCase(
  name: string,
  needs: readonly ResolverNeed[],
  run: (scope: ResolverScope) => Promise<void>,
): ResolverCase {
  return {
    name,
    needs,
    async run(harness) {
      const opened: OpenResolver[] = [];
      const limit = timeLimit();
      try {
        const running = run({
          clock: harness.clock,
          person: harness.person,
          open: (script) => openScripted(harness, script, opened),
        });
        await Promise.race([running, limit.passed]);
      } finally {
        // A resolver that still waits for an ask may not close either.
        for (const resolver of opened) await Promise.race([resolver.close(), limit.closed]);
        limit.stop();
      }
    },
  };
}

// Every case is reported within five seconds of real time.
const CASE_MS = 4_500;
const CLOSE_MS = 300;

interface TimeLimit {
  /** Rejects when the case has taken too long. */
  readonly passed: Promise<never>;
  /** Resolves a little later, so that what was opened is closed if that is possible. */
  readonly closed: Promise<void>;
  stop(): void;
}

function timeLimit(): TimeLimit {
  const timers: ReturnType<typeof setTimeout>[] = [];
  const passed = new Promise<never>((_resolve, reject) => {
    const message = `the case did not end within ${CASE_MS} ms: an ask must end when its signal aborts, when its person settles it and at its deadline`;
    timers.push(setTimeout(() => reject(new SuiteFailure(message)), CASE_MS));
  });
  passed.catch(() => undefined);
  const closed = new Promise<void>((resolve) => {
    timers.push(setTimeout(resolve, CASE_MS + CLOSE_MS));
  });
  const stop = (): void => {
    for (const timer of timers) clearTimeout(timer);
  };
  return { passed, closed, stop };
}

/** The clock of a case that needs one. */
export function clockOf({ clock }: ResolverScope): FakeClock {
  if (clock !== undefined) return clock;
  throw new SuiteFailure("the harness has no clock; add one, or give the reason in lacks.clock");
}

async function openScripted(
  harness: ResolverHarness,
  script: Script,
  opened: OpenResolver[],
): Promise<ScriptedResolver> {
  const asked: ScriptedAsk[] = [];
  const waiting = new Set<() => void>();
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);

  const open = await harness.open(async (ask, turn) => {
    if (turn.refused === undefined) {
      asked.push(ask);
      for (const check of waiting) check();
    }
    try {
      return await script(ask, turn);
    } catch (error) {
      fail(error);
      return { type: "leave" };
    }
  });
  opened.push(open);

  return {
    asked,
    async ask(request, signal) {
      const ending = open.resolver.ask(request, { signal });
      const outcome = await Promise.race([ending, failed]);
      checkOutcome(outcome, harness.person);
      return outcome;
    },
    reached: (count = 1) =>
      Promise.race([
        failed,
        new Promise<void>((resolve) => {
          const look = (): void => {
            if (asked.length < count) return;
            waiting.delete(look);
            resolve();
          };
          waiting.add(look);
          look();
        }),
      ]),
  };
}

function checkOutcome(outcome: Outcome, person: string | undefined): void {
  checkEqual(JSON.parse(JSON.stringify(outcome)), outcome, "the outcome after a round trip through JSON");
  if (!("by" in outcome) || outcome.by.kind === "policy") return;
  check(outcome.by.id !== "", "by has no id");
  if (person !== undefined) checkEqual(outcome.by.id, person, "the person who settled the ask");
}
