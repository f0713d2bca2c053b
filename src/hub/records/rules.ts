// Remembered rules: what a person decided about an action, for the next time. A rule is made of a decision, by the person
// who made it, and counts only for the same agent and folder, and if all that was shown is equal (`comparedCall`).
// There are no patterns: a command that only begins like an allowed one is asked about.
//
// A rule is a record, stored in the transaction of its decision. It ends when it is revoked, when the same person makes
// another one for the same calls, and with everything else of its person (the person's epoch). Rules of earlier versions
// that compared less are kept as ended; the others are compared with the ask that they were made of.

import { canonicalJson, type Json } from "../../core/kit/json.js";
import { collect } from "../../core/kit/pages.js";
import type { Action, Decision } from "../../core/model/approval.js";
import type { Ask } from "../../core/model/ask.js";
import type { ValidEnding } from "../../core/model/ending.js";
import { AsklineError } from "../../core/model/error.js";
import { isFullPath, projectOf } from "../../core/model/folder.js";
import type { Answerer, Outcome } from "../../core/model/outcome.js";
import type { RememberedRule, RuleEnd } from "../../core/model/rule.js";
import { type Asker, askerIdentity, mayAnswer } from "../../core/model/visibility.js";
import {
  comparedCall,
  isRuleDuration,
  placeOf,
  type RuleDuration,
  type RulePlace,
  wordingOf,
} from "../../core/rules/remembering.js";
import { sha256 } from "../seam/sha256.js";
import { type LogAppend, PERSON_EPOCH_NAMESPACE, type RecordPut, type Store } from "../seam/store.js";
import { allRecords } from "../seam/store-kit.js";
import { endRecord, systemEntry } from "./system-log.js";

const NAMESPACE = "rule";
/** For one person, agent and tool. Those of all people are read when such an action is asked about. */
const MOST_RULES = 500;
/** A session that is older than this is over. */
const SESSION_MS = 30 * 24 * 60 * 60_000;

interface RuleRecord extends Omit<RememberedRule, "id" | "ended"> {
  readonly epoch: number;
}

/** What is stored from now on always names its place. */
type NewRule = Omit<RuleRecord, "project" | "session"> & RulePlace;
type Entry = readonly [key: string, rule: RuleRecord];
/** What must be equal besides the place: the whole call. */
type Call = Pick<RuleRecord, "args" | "wording" | "shown">;

export interface Rules {
  /** The rules that the decisions of an outcome ask for, as records to store with it. Rejects if they cannot be made. */
  recordsOf(ask: Ask, outcome: Outcome): Promise<readonly RecordPut[]>;
  /** What the rules say about an approval; undefined unless they decide every action. */
  decide(ask: Ask): Promise<{ readonly ending: ValidEnding; readonly by: Answerer } | undefined>;
  /** Oldest first; those of one person, or all. */
  list(person?: string): Promise<readonly RememberedRule[]>;
  /** Returns whether there was such a rule, of this person if one is given. */
  revoke(id: string, person?: string, by?: string): Promise<boolean>;
}

export function createRules(store: Pick<Store, "asks" | "records" | "now">): Rules {
  const { records } = store;
  const epochOf = async (person: string): Promise<number> =>
    Number((await records.get(PERSON_EPOCH_NAMESPACE, person))?.value ?? 0);

  const read = async (prefix: string): Promise<readonly Entry[]> => {
    // Only this file writes them.
    const found = (await collect(allRecords(records, NAMESPACE, prefix))).map(
      ({ key, value }): Entry => [key, value as unknown as RuleRecord],
    );
    const people = [...new Set(found.map(([, { person }]) => person))];
    const epochs = new Map(
      await Promise.all(people.map(async (person) => [person, await epochOf(person)] as const)),
    );
    return found.filter(([, { person, epoch }]) => epochs.get(person) === epoch);
  };

  /**
   * What a rule compares, or why it has ended. Earlier versions stored a rule before its decision, with another key and
   * less than the whole call: its ask shows both. Undefined if a crash left it without its decision.
   */
  const callIn = async ([key, rule]: Entry): Promise<Call | RuleEnd | undefined> => {
    const ended = endOf(rule);
    if (ended !== undefined || key.endsWith(`_${callKey(rule)}`)) return ended ?? rule;
    const ask = await store.asks.get(rule.ask);
    if (ask === undefined) return "ask_pruned";
    const { outcome, approval } = ask;
    if (outcome?.kind !== "decided" || outcome.by.kind !== "person" || outcome.by.id !== rule.person)
      return undefined;
    const kind = rule.effect === "allow" ? "approve" : "reject";
    const action = approval?.actions.find(
      ({ id, name, args }) =>
        name === rule.tool &&
        canonicalJson(args) === canonicalJson(rule.args) &&
        outcome.decisions.some(
          (decision) => decision.action === id && decision.kind === kind && isRuleDuration(decision.remember),
        ),
    );
    return action && callOf(ask, action);
  };

  return {
    async recordsOf(ask, outcome) {
      if (outcome.kind !== "decided" || !outcome.decisions.some(asksForRule)) return [];
      const { by } = outcome;
      if (by.kind !== "person" || by.via !== undefined) {
        throw new AsklineError("forbidden", "only a person can make a rule, with a credential of their own");
      }
      const [epoch, now] = [await epochOf(by.id), store.now()];
      const puts = new Map<string, RecordPut>();
      for (const decision of outcome.decisions) {
        const action = ask.approval?.actions.find(({ id }) => id === decision.action);
        if (action === undefined || !asksForRule(decision)) continue;
        const place = placeOf(ask, decision.remember);
        if (place === undefined)
          throw new AsklineError("invalid_answer", "a rule needs a folder or a session");
        const rule: NewRule = {
          effect: decision.kind === "approve" ? "allow" : "deny",
          person: by.id,
          agent: ask.asker ?? "",
          ...place,
          tool: action.name,
          ...callOf(ask, action),
          ask: ask.id,
          createdAt: now,
          epoch,
        };
        const key = prefixOf(ask, action.name) + callKey(rule);
        const own = (await read(prefixOf(ask, action.name))).filter(([, { person }]) => person === by.id);
        const isReplaced = await Promise.all(
          own.map(async (entry) => replaces(rule, entry[1], await callIn(entry))),
        );
        const replaced = own.filter((_, index) => isReplaced[index]);
        if (own.length - replaced.length >= MOST_RULES) {
          throw new AsklineError(
            "quota_exceeded",
            `you have ${MOST_RULES} rules for ${action.name} already; revoke some with "askline rules"`,
          );
        }
        // A record that has expired does not exist.
        for (const [id] of replaced.filter(([id]) => id !== key))
          puts.set(id, { namespace: NAMESPACE, key: id, value: null, expiresAt: now });
        // Equal actions of one approval have one rule: if one of them is denied, all are.
        const twin = puts.get(key)?.value as unknown as RuleRecord | null | undefined;
        if (twin?.effect === "deny") continue;
        puts.set(key, {
          ...{ namespace: NAMESPACE, key, value: rule as unknown as Json },
          expiresAt: place.session === undefined ? undefined : now + SESSION_MS,
        });
      }
      return [...puts.values()];
    },

    async decide(ask) {
      const decided: { readonly decision: Decision; readonly rule: string; readonly madeBy: string }[] = [];
      for (const action of ask.approval?.actions ?? []) {
        const asked = callOf(ask, action);
        /** The newest rule of each person; of two as new, the one that denies. */
        const newest = new Map<string, Entry>();
        for (const entry of await read(prefixOf(ask, action.name))) {
          const [, rule] = entry;
          const [, other] = newest.get(rule.person) ?? [];
          const age = rule.createdAt - (other?.createdAt ?? 0);
          if (!isInPlace(rule, ask) || age < 0 || (age === 0 && other?.effect === "deny")) continue;
          const call = await callIn(entry);
          if (typeof call === "object" && isEqual(call, asked)) newest.set(rule.person, entry);
        }
        const matching = [...newest.values()];
        const [id, rule] = matching.find(([, { effect }]) => effect === "deny") ?? matching[0] ?? [];
        if (id === undefined || rule === undefined || action.once) return undefined;
        const kind = rule.effect === "allow" ? "approve" : "reject";
        if (!action.allow.includes(kind)) return undefined;
        decided.push({ decision: { action: action.id, kind }, rule: id, madeBy: rule.person });
      }
      const named = decided.find(({ decision }) => decision.kind === "reject") ?? decided[0];
      if (named === undefined) return undefined;
      return {
        ending: { type: "decide", decisions: decided.map(({ decision }) => decision) },
        by: { kind: "policy", name: "remembered rule", rule: named.rule, madeBy: named.madeBy },
      };
    },

    async list(person) {
      const found = (await read("")).filter(([, rule]) => person === undefined || rule.person === person);
      const calls = await Promise.all(found.map(callIn));
      return found
        .flatMap(([id, { epoch: _, ...rule }], index): readonly RememberedRule[] => {
          const call = calls[index];
          if (call === undefined) return [];
          return [{ id, ...rule, ...(typeof call === "string" && { ended: call }) }];
        })
        .sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
    },

    async revoke(id, person, by) {
      const record = await records.get(NAMESPACE, id);
      const rule = record?.value as unknown as RuleRecord | undefined;
      if (rule === undefined || (person !== undefined && rule.person !== person)) return false;
      const entry = ruleEntry("rule.revoked", id, rule, by ?? person);
      return (await endRecord(records, [NAMESPACE, id], store.now(), () => entry)) !== undefined;
    },
  };
}

function asksForRule(
  decision: Decision,
): decision is Exclude<Decision, { readonly kind: "edit" }> & { readonly remember: RuleDuration } {
  return decision.kind !== "edit" && isRuleDuration(decision.remember);
}

/** The entries of the audit for the rules among records to put. */
export function ruleEntries(records: readonly RecordPut[]): readonly LogAppend[] {
  return records.flatMap(({ key, value }) =>
    value === null ? [] : ruleEntry("rule.made", key, value as unknown as RuleRecord),
  );
}

function ruleEntry(
  type: "rule.made" | "rule.revoked",
  id: string,
  { person, effect, agent, tool, ask }: RuleRecord,
  by?: string,
): LogAppend {
  return systemEntry(type, id, { person, effect, agent, tool, ask, by });
}

/** The digest is short where a context is long. */
function callOf(ask: Ask, action: Action): Call {
  const { args, context, description } = comparedCall(ask, action);
  const wording = wordingOf(ask, action);
  return { args, ...(wording.length > 0 && { wording }), shown: digest([context, description]) };
}

function isEqual(one: Call, other: Call): boolean {
  return one.shown === other.shown && canonicalJson(one.args) === canonicalJson(other.args);
}

/** Why a rule never decides: an earlier version made it, and it reached further than what was shown. */
function endOf({ field, project, session, shown }: RuleRecord): RuleEnd | undefined {
  if (field !== undefined) return "one_argument";
  if (project !== undefined && !isFullPath(project)) return "folder_name";
  if (project === undefined && (session === undefined || shown === undefined)) return "no_folder";
  return session === "" ? "no_session" : undefined;
}

function isInPlace(rule: RuleRecord, ask: Ask): boolean {
  return (
    (rule.session === undefined || rule.session === ask.session) &&
    rule.project === projectOf(ask) &&
    mayAnswer(rule.person, ask)
  );
}

/** Whether a rule covers all calls that an older rule of the same person covers. */
function replaces(rule: RuleRecord, older: RuleRecord, call: Call | RuleEnd | undefined): boolean {
  return (
    typeof call === "object" &&
    isEqual(rule, call) &&
    rule.project === older.project &&
    (rule.session ?? older.session) === older.session
  );
}

/** The same for rules of one person for the same calls, so that the next one replaces the last. */
function callKey({ person, session, project, args, shown }: RuleRecord): string {
  const call = [person, session ?? null, project ?? null, args, shown ?? null];
  return digest([canonicalJson(call)]).slice(0, 20);
}

/** Rules for one agent and one tool lie together. An agent of the same name with another owner is another one. */
function prefixOf(agent: Asker, tool: string): string {
  return `rule_${digest([askerIdentity(agent) ?? "", tool]).slice(0, 20)}_`;
}

function digest(parts: readonly string[]): string {
  return sha256(JSON.stringify(parts));
}
