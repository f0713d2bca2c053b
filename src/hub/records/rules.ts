// Remembered rules: what a person decided about an action, for the next time. A rule is made of a decision, by the person
// who made it, and counts only for the same agent, project and tool, and for equal arguments, or one equal argument.
// There are no patterns: a command that only begins like an allowed one is asked about.
//
// A rule is a record. It ends when it is revoked, and with everything else of its person (the person's epoch).

import { createHash } from "node:crypto";
import {
  type Answerer,
  type Ask,
  AsklineError,
  canonicalJson,
  type Decision,
  type DecisionSubmission,
  type Json,
  type JsonObject,
  type RememberedRule,
  validateDecisions,
} from "../../core/index.js";
import { mayAnswer } from "../../core/model/visibility.js";
import { PERSON_EPOCH_NAMESPACE, type Store } from "../seam/store.js";

const NAMESPACE = "rule";
/** For one agent and tool: all of them are read when such an action is asked about. */
const MOST_RULES = 500;
const PAGE = 200;
/** A session that is older than this is over. */
const SESSION_MS = 30 * 24 * 60 * 60_000;

interface RuleRecord extends Omit<RememberedRule, "id"> {
  readonly epoch: number;
}

export interface Rules {
  /** Stores the rules that a submission asks for; the result removes them again. Invalid submissions make none. */
  make(ask: Ask, submission: DecisionSubmission, by: Answerer): Promise<() => Promise<void>>;
  /** What the rules say about an approval; undefined unless they decide every action. */
  decide(ask: Ask): Promise<{ readonly decisions: readonly Decision[]; readonly by: Answerer } | undefined>;
  /** Oldest first; those of one person, or all. */
  list(person?: string): Promise<readonly RememberedRule[]>;
  /** Returns whether there was such a rule, of this person if one is given. */
  revoke(id: string, person?: string): Promise<boolean>;
}

/** Whether a submission asks for a rule of ours. */
export function asksForRule(submission: unknown): boolean {
  const decisions = (submission as Partial<DecisionSubmission> | undefined)?.decisions;
  return (
    Array.isArray(decisions) &&
    decisions.some((decision: { readonly remember?: unknown } | null) => isOurs(decision?.remember))
  );
}

function isOurs(remember: unknown): remember is "session" | "always" {
  return remember === "session" || remember === "always";
}

export function createRules(store: Pick<Store, "records" | "now">): Rules {
  const { records } = store;
  const epochOf = async (person: string): Promise<number> =>
    Number((await records.get(PERSON_EPOCH_NAMESPACE, person))?.value ?? 0);

  const read = async (prefix: string, most: number): Promise<readonly (readonly [string, RuleRecord])[]> => {
    const found: (readonly [string, RuleRecord])[] = [];
    for (let after: string | undefined; found.length < most; ) {
      const limit = Math.min(PAGE, most - found.length);
      const page = await records.list(NAMESPACE, { prefix, limit, ...(after !== undefined && { after }) });
      // Only this file writes them.
      found.push(...page.map(({ key, value }) => [key, value as unknown as RuleRecord] as const));
      after = page.at(-1)?.key;
      if (page.length < limit) break;
    }
    const people = [...new Set(found.map(([, { person }]) => person))];
    const epochs = new Map(
      await Promise.all(people.map(async (person) => [person, await epochOf(person)] as const)),
    );
    return found.filter(([, { person, epoch }]) => epochs.get(person) === epoch);
  };

  return {
    async make(ask, submission, by) {
      const checked = validateDecisions(ask, submission);
      const nothing = async (): Promise<void> => undefined;
      if (!checked.ok || ask.outcome !== undefined) return nothing;
      if (by.kind !== "person" || by.via !== undefined) {
        throw new AsklineError("forbidden", "only a person can make a rule, with a credential of their own");
      }
      const epoch = await epochOf(by.id);
      const made: string[] = [];
      for (const decision of checked.decisions) {
        const action = ask.approval?.actions.find(({ id }) => id === decision.action);
        if (action === undefined || decision.kind === "edit" || !isOurs(decision.remember)) continue;
        const prefix = prefixOf(ask.asker, action.name);
        if ((await records.list(NAMESPACE, { prefix, limit: MOST_RULES })).length >= MOST_RULES) {
          throw new AsklineError(
            "quota_exceeded",
            `there are ${MOST_RULES} rules for ${action.name} already; revoke some with "askline rules"`,
          );
        }
        const { rememberField: field } = decision;
        const session = decision.remember === "session" ? ask.session : undefined;
        const project = projectOf(ask);
        const record: RuleRecord = {
          effect: decision.kind === "approve" ? "allow" : "deny",
          person: by.id,
          agent: ask.asker ?? "",
          ...(project !== undefined && { project }),
          ...(session !== undefined && { session }),
          tool: action.name,
          args: field === undefined ? action.args : { [field]: action.args[field] ?? null },
          ...(field !== undefined && { field }),
          ask: ask.id,
          createdAt: store.now(),
          epoch,
        };
        const key = prefix + digest([ask.id, action.id, by.id]);
        const put = await records.put(NAMESPACE, key, record as unknown as Json, {
          expect: null,
          ...(session !== undefined && { expiresAt: store.now() + SESSION_MS }),
        });
        if (put.ok) made.push(key);
      }
      return async () => {
        for (const key of made) await records.delete(NAMESPACE, key);
      };
    },

    async decide(ask) {
      const decided: { readonly decision: Decision; readonly rule: string; readonly madeBy: string }[] = [];
      for (const action of ask.approval?.actions ?? []) {
        const rules = await read(prefixOf(ask.asker, action.name), MOST_RULES);
        const matching = rules.filter(([, rule]) => applies(rule, ask, action));
        const [id, rule] = matching.find(([, { effect }]) => effect === "deny") ?? matching[0] ?? [];
        if (id === undefined || rule === undefined || action.once) return undefined;
        const kind = rule.effect === "allow" ? "approve" : "reject";
        if (!action.allow.includes(kind)) return undefined;
        decided.push({ decision: { action: action.id, kind }, rule: id, madeBy: rule.person });
      }
      const named = decided.find(({ decision }) => decision.kind === "reject") ?? decided[0];
      if (named === undefined) return undefined;
      return {
        decisions: decided.map(({ decision }) => decision),
        by: { kind: "policy", name: "remembered rule", rule: named.rule, madeBy: named.madeBy },
      };
    },

    async list(person) {
      const found = await read("", Number.POSITIVE_INFINITY);
      return found
        .map(([id, { epoch: _, ...rule }]): RememberedRule => ({ id, ...rule }))
        .filter((rule) => person === undefined || rule.person === person)
        .sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
    },

    async revoke(id, person) {
      const record = await records.get(NAMESPACE, id);
      const rule = record?.value as unknown as RuleRecord | undefined;
      if (rule === undefined || (person !== undefined && rule.person !== person)) return false;
      return records.delete(NAMESPACE, id);
    },
  };
}

function applies(rule: RuleRecord, ask: Ask, { args }: { readonly args: JsonObject }): boolean {
  const compared = rule.field === undefined ? args : { [rule.field]: args[rule.field] ?? null };
  return (
    (rule.field === undefined || Object.hasOwn(args, rule.field)) &&
    (rule.session === undefined || rule.session === ask.session) &&
    rule.project === projectOf(ask) &&
    mayAnswer(rule.person, ask) &&
    canonicalJson(compared) === canonicalJson(rule.args)
  );
}

/** The project that the agent claims to work in, as `metadata.project`. */
function projectOf({ metadata }: Ask): string | undefined {
  return typeof metadata?.project === "string" ? metadata.project : undefined;
}

/** Rules for one agent and one tool lie together. */
function prefixOf(agent: string | undefined, tool: string): string {
  return `rule_${digest([agent ?? "", tool])}_`;
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 20);
}
