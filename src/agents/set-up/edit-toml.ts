// Edits of a TOML file that belongs to another program: whole tables are added at its end or removed, and every other byte
// stays. Each edit is checked by reading the file again, so that what cannot be edited this way is left alone.

import { existsSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import { isRecord } from "../../core/kit/json.js";
import { messageOf } from "../../core/kit/tools.js";

type Fields = Readonly<Record<string, unknown>>;

export type TomlText =
  | { readonly ok: true; readonly text: string | undefined; readonly value: Fields }
  | { readonly ok: false; readonly problem: string };

/** The text of a file and what it says; `ok` is false for one that cannot be read or does not parse. */
export function readTomlText(path: string): TomlText {
  if (!existsSync(path)) return { ok: true, text: undefined, value: {} };
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { ok: false, problem: `${path} cannot be read (${messageOf(error)})` };
  }
  const value = tomlIn(text);
  if (value === undefined) return { ok: false, problem: `${path} is not TOML; fix it, then run this again` };
  return { ok: true, text, value };
}

function tomlIn(text: string): Fields | undefined {
  try {
    return parse(text) as Fields;
  } catch {
    return undefined;
  }
}

export type TomlTable = readonly [section: string, name: string];

/** Sets a table such as `[mcp_servers.askline]`, or removes it. Undefined if that would change anything else. */
export function setTable(
  text: string,
  [section, name]: TomlTable,
  entry: Fields | undefined,
): string | undefined {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  let changed = withoutTable(text, [section, name]);
  if (entry !== undefined) {
    const lines = [
      `[${section}.${name}]`,
      ...Object.entries(entry).map(([key, value]) => `${key} = ${toml(value)}`),
    ];
    const gap = changed === "" ? "" : changed.endsWith("\n") ? eol : eol + eol;
    changed = `${changed}${gap}${lines.join(eol)}${eol}`;
  }
  const [before, after] = [tomlIn(text), tomlIn(changed)];
  const isAsWanted =
    before !== undefined &&
    after !== undefined &&
    isDeepStrictEqual(plain(tableIn(after, [section, name])), plain(entry)) &&
    isDeepStrictEqual(others(after, [section, name]), others(before, [section, name]));
  return isAsWanted ? changed : undefined;
}

export function tableIn(value: Fields, [section, name]: TomlTable): unknown {
  const tables = value[section];
  return isRecord(tables) ? tables[name] : undefined;
}

/** Removes the table and the tables below it, with the empty line before them. Comments after them stay. */
function withoutTable(text: string, [section, name]: TomlTable): string {
  const key = (word: string): string => `(?:${word}|"${word}"|'${word}')`;
  const own = new RegExp(`^\\s*\\[\\s*${key(section)}\\s*\\.\\s*${key(name)}\\s*[.\\]]`);
  const kept: string[] = [];
  let removed: string[] | undefined;
  const endTable = (): void => {
    const last = removed?.findLastIndex((line) => !/^\s*(#.*)?\s*$/.test(line)) ?? -1;
    kept.push(...(removed?.slice(last + 1) ?? []));
    removed = undefined;
  };
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s*\[/.test(line)) {
      endTable();
      if (own.test(line)) {
        if (kept.at(-1)?.trim() === "") kept.pop();
        removed = [];
      }
    }
    (removed ?? kept).push(line);
  }
  endTable();
  return kept.join("");
}

function others(value: Fields, [section, name]: TomlTable): unknown {
  const { [section]: tables, ...rest } = value;
  if (!isRecord(tables)) return plain(value);
  const { [name]: _own, ...kept } = tables;
  return plain(Object.keys(kept).length === 0 ? rest : { ...rest, [section]: kept });
}

/** Tables of a parser have no prototype. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** A text, a number or a list of texts. JSON writes them as TOML does, except for one control character. */
function toml(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map(toml).join(", ")}]`
    : JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
