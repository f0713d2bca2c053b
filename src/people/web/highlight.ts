// Syntax of code, by highlight.js. Each language is loaded when it is first needed.

import type { LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
import { type Lazy, lazy } from "./lazy.js";

type Loaded = { readonly default: LanguageFn };

const LANGUAGES: Readonly<Record<string, Lazy<Loaded>>> = {
  bash: lazy(() => import("highlight.js/lib/languages/bash")),
  css: lazy(() => import("highlight.js/lib/languages/css")),
  diff: lazy(() => import("highlight.js/lib/languages/diff")),
  go: lazy(() => import("highlight.js/lib/languages/go")),
  java: lazy(() => import("highlight.js/lib/languages/java")),
  javascript: lazy(() => import("highlight.js/lib/languages/javascript")),
  json: lazy(() => import("highlight.js/lib/languages/json")),
  python: lazy(() => import("highlight.js/lib/languages/python")),
  rust: lazy(() => import("highlight.js/lib/languages/rust")),
  sql: lazy(() => import("highlight.js/lib/languages/sql")),
  typescript: lazy(() => import("highlight.js/lib/languages/typescript")),
  xml: lazy(() => import("highlight.js/lib/languages/xml")),
  yaml: lazy(() => import("highlight.js/lib/languages/yaml")),
};

const ALIASES: Readonly<Record<string, string>> = {
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "bash",
  patch: "diff",
  golang: "go",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  jsonc: "json",
  py: "python",
  rs: "rust",
  ts: "typescript",
  tsx: "typescript",
  html: "xml",
  svg: "xml",
  vue: "xml",
  yml: "yaml",
};

/** Longer code is shown without colours: patterns over untrusted text take their time. */
const MOST_CODE = 20_000;

/** The code with its syntax marked; undefined where the language is unknown or not there yet. */
export function highlighted(text: string, language: string, again: () => void): string | undefined {
  const asked = language.toLowerCase();
  const name = ALIASES[asked] ?? asked;
  if (text.length > MOST_CODE || !Object.hasOwn(LANGUAGES, name)) return undefined;
  const loaded = LANGUAGES[name]?.get(again);
  if (loaded === undefined) return undefined;
  if (hljs.getLanguage(name) === undefined) hljs.registerLanguage(name, loaded.default);
  return hljs.highlight(text, { language: name, ignoreIllegals: true }).value;
}
