// Compares a database with what the processes that used it were told. Shares no code with the hub, the server or
// the stores: it reads the tables and the journals, and knows the rules from the docs.
//
//   node checker.mjs <database: a path, or a URL of PostgreSQL> <folder of journals>
//   { "asks", …, "lost": […], "double": […], "wrong": […] }    on stdout
//
// lost: acknowledged, and not stored so. double: settled twice, or asked twice under one key. wrong: anything else
// that is not as somebody was told, or not as it should be.

import { canonical, nameOf, readJournals } from "./journals.mjs";
import { openDatabase } from "./read-database.mjs";
import { problemsOf } from "./well-formed.mjs";

const [name, folder] = process.argv.slice(2);
const found = { lost: [], double: [], wrong: [] };
const known = await readJournals(folder);
const database = await openDatabase(name);
const events = await checkEvents();
const figures = await checkAsks();
await database.close();
found.wrong.push(...known.failures);
console.log(JSON.stringify({ ...figures, ...found }));

/** The log has every position, and each ask begins once, first, and ends at most once. */
async function checkEvents() {
  const lives = new Map();
  let last = 0;
  for await (const { position, type, subject, data } of database.events()) {
    if (position !== last + 1) found.wrong.push(`the log jumps from ${last} to ${position}`);
    last = position;
    const life = lives.get(subject) ?? { created: 0, endings: [] };
    lives.set(subject, life);
    if (type === "ask.created") {
      if (life.endings.length > 0) found.wrong.push(`${subject} ended before it began`);
      life.created += 1;
    } else if (!/^ask\.(opened|extended|overdue)$/.test(type)) {
      life.endings.push({ kind: type.slice("ask.".length), by: JSON.parse(data ?? "{}").by });
    }
  }
  for (const [id, { created, endings }] of lives) {
    if (created > 1) found.double.push(`${id} was created ${created} times`);
    if (created === 0) found.wrong.push(`${id} never began`);
    if (endings.length > 1) found.double.push(`${id} ended ${endings.length} times`);
  }
  return { lives, count: last };
}

async function checkAsks() {
  const rows = { asks: 0, answered: 0, acknowledged: 0 };
  const names = new Map();
  const stored = new Set();
  for await (const row of database.asks()) {
    rows.asks += 1;
    stored.add(row.id);
    for (const problem of problemsOf(row)) found.wrong.push(`${row.id}: ${problem}`);
    const outcome = row.outcome === null ? undefined : tolerant(row.outcome);
    checkLife(row, outcome);
    rows.acknowledged += checkAnswers(row, outcome);
    if (outcome !== undefined && "by" in outcome) rows.answered += 1;
    if (row.key === null) continue;
    const own = nameOf(row.session, row.key);
    if (names.has(own)) found.double.push(`${own} was asked as ${names.get(own)} and as ${row.id}`);
    names.set(own, row.id);
    checkAgent(own, row, outcome);
  }
  for (const id of known.acknowledged.keys()) {
    if (!stored.has(id)) found.lost.push(`${id} was answered, and is not there`);
  }
  for (const [own, { outcomes }] of known.asks) {
    if (outcomes.size === 0) found.wrong.push(`${own} was asked, and its agent was never told how it ended`);
    else if (!names.has(own)) found.lost.push(`${own} ended, and is not there`);
  }
  for (const [id, { created }] of events.lives) {
    if (created > 0 && !stored.has(id)) found.lost.push(`${id} began, and is not there`);
  }
  const { outages, resumed, longestSilenceMs } = known;
  return { ...rows, events: events.count, outages, resumed, longestSilenceMs };
}

/** The row and the log are one: the same ending, by the same person. */
function checkLife({ id }, outcome) {
  const { endings = [], created = 0 } = events.lives.get(id) ?? {};
  if (created === 0) found.wrong.push(`${id} is stored, and the log does not know of it`);
  const [ending] = endings;
  const same = ending?.kind === outcome?.kind && canonical(ending?.by) === canonical(outcome?.by);
  if (!same) found.wrong.push(`${id} is ${outcome?.kind}, and the log says ${ending?.kind}`);
}

function checkAnswers({ id }, outcome) {
  const acknowledged = known.acknowledged.get(id) ?? new Set();
  if (acknowledged.size > 1) found.double.push(`${id} was acknowledged to ${acknowledged.size} answerers`);
  for (const told of acknowledged) {
    if (told !== canonical(outcome)) found.lost.push(`${id} was acknowledged as ${told}`);
  }
  for (const told of known.refused.get(id) ?? []) {
    if (told !== canonical(outcome)) found.wrong.push(`${id} was refused, as it had ended as ${told}`);
  }
  return acknowledged.size;
}

function checkAgent(own, { id }, outcome) {
  const agent = known.asks.get(own);
  if (agent === undefined) return void found.wrong.push(`${own} is stored, and nobody asked it`);
  for (const told of agent.outcomes) {
    if (told !== canonical(outcome)) found.wrong.push(`${own} ended for its agent as ${told}`);
  }
  for (const other of agent.ids) {
    if (other !== id) found.double.push(`${own} is ${id}, and was ${other} for its agent`);
  }
}

function tolerant(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { kind: `no JSON: ${text}` };
  }
}
