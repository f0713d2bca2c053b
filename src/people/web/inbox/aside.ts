// The two other views of an inbox: what has ended, and where the person is signed in.

import type { Ask } from "../../../core/model/ask.js";
import type { Answerer, Outcome } from "../../../core/model/outcome.js";
import { displayAsker, displayJson, displayLine } from "../../../core/text/display.js";
import { titleOf } from "../../../core/text/title.js";
import type { WebWords } from "../../../core/words/web.js";
import { html, type Part } from "../html.js";
import type { InboxAuditEntry, InboxDevice, InboxRule } from "../types.js";
import { clockTime } from "./about.js";
import type { ListRow } from "./list.js";

export interface AsideScene {
  readonly words: WebWords;
  readonly locale: string;
  readonly person: string;
}

/** One ask that has ended. */
export function endedRow(ask: Ask, { words, locale, person }: AsideScene): ListRow {
  const { outcome, settledAt = ask.createdAt } = ask;
  const kind = outcome?.kind ?? "withdrawn";
  const content = html`<span class="title" dir="auto">${titleOf(ask, words)}</span>
    <span class="meta"><span class="tag" data-outcome=${kind}>${words.outcomes[kind]}</span>
      <span class="who"><bdi>${endedBy(outcome, words, person) || displayAsker(ask)}</bdi></span>
      <time class="when" datetime=${new Date(settledAt).toISOString()}>${clockTime(settledAt, locale)}</time></span>`;
  return { id: ask.id, content };
}

function endedBy(outcome: Outcome | undefined, words: WebWords, person: string): string {
  if (outcome === undefined || !("by" in outcome)) return "";
  const { by } = outcome;
  if (by.kind === "policy") return displayLine(by.name);
  return by.id === person ? words.you : displayLine(by.id);
}

/** What happened to an ask, in order. */
export function auditPart(
  audit: readonly InboxAuditEntry[] | undefined,
  { words, locale, person }: AsideScene,
): Part {
  if (audit === undefined) return html`<p class="soft">${words.loading}</p>`;
  return html`<section class="audit" aria-labelledby="audit-title"><h2 id="audit-title">${words.audit}</h2><ol>${audit.map(
    ({
      at,
      type,
      by,
      detail,
    }) => html`<li><time datetime=${new Date(at).toISOString()}>${clockTime(at, locale)}</time>
      <span class="what">${words.events[type] ?? type}</span>
      <span class="soft"><bdi>${
        detail !== undefined
          ? displayLine(detail)
          : by === undefined
            ? ""
            : by.kind === "policy"
              ? policyOf(by, words)
              : words.by(by.id === person ? words.you : displayLine(by.id), displayLine(by.surface))
      }</bdi></span></li>`,
  )}</ol></section>`;
}

/** The rule, and who made it. */
function policyOf({ name, madeBy }: Extract<Answerer, { kind: "policy" }>, words: WebWords): string {
  return madeBy === undefined ? displayLine(name) : words.ruleOf(displayLine(name), displayLine(madeBy));
}

/** What a person has decided for the next time: who, what, where, when. */
export function rulesPart(
  rules: readonly InboxRule[] | undefined,
  revoke: (rule: InboxRule) => void,
  { words, locale, person }: AsideScene,
): Part {
  if (rules === undefined) return undefined;
  return html`<section class="devices rules" aria-labelledby="rules-title"><h2 class="big" id="rules-title">${words.rules}</h2>${
    rules.length === 0
      ? html`<p class="soft">${words.noRules}</p>`
      : html`<ul>${rules.map((rule) => {
          const tool = displayLine(rule.tool);
          const places = [
            words.ruleAgent(displayLine(rule.agent)),
            rule.project !== undefined && words.ruleProject(displayLine(rule.project)),
            rule.session === undefined ? words.everySession : words.ruleSession(displayLine(rule.session)),
            rule.wording !== undefined && words.ruleNotCompared(displayLine(rule.wording.join(", "))),
          ].filter((place) => place !== false);
          const maker = rule.person === person ? words.you : displayLine(rule.person);
          return html`<li data-rule=${rule.id}><div><p class="name"><span class="tag">${words.effects[rule.effect]}</span> <bdi>${tool}</bdi></p>
      ${rule.ended !== undefined && html`<p class="ended">${words.ruleEnded}: ${words.ruleEnds[rule.ended]}</p>`}
      <pre class="soft" tabindex="0" aria-label=${words.ruleEqual}>${displayJson(JSON.stringify(rule.args))}</pre>
      <p class="soft"><bdi>${places.join(" · ")}</bdi></p>
      <p class="soft"><bdi>${words.by(maker, clockTime(rule.createdAt, locale))}</bdi></p></div>
      <button type="button" class="plain" aria-label=${words.revokeRuleOf(tool)} @click=${() => revoke(rule)}>${words.revokeRule}</button></li>`;
        })}</ul>`
  }</section>`;
}

export function devicesPart(
  devices: readonly InboxDevice[] | undefined,
  end: (device: InboxDevice) => void,
  { words, locale }: AsideScene,
): Part {
  if (devices === undefined) return html`<p class="soft">${words.loading}</p>`;
  return html`<section class="devices"><h2 class="big">${words.devices}</h2><ul>${devices.map((device) => {
    const name = device.name === undefined ? words.unknownDevice : displayLine(device.name);
    return html`<li><div><p class="name">${name}${device.current === true && html` <span class="tag">${words.thisDevice}</span>`}</p>
      <p class="soft">${words.signedInAt(clockTime(device.signedInAt, locale))}</p></div>
      <button type="button" class="plain" aria-label=${words.endDeviceOf(name)} @click=${() => end(device)}>${words.endDevice}</button></li>`;
  })}</ul><h3>${words.addDevice}</h3><p class="soft">${words.addDeviceHint}</p></section>`;
}
