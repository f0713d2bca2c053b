// A strict reader of the HTML that we write: it refuses whatever a browser would have to guess at.

const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  dir: /^auto$/,
  class: /^(language-[\w+#.-]{1,32}|task|center|right)$/,
  start: /^\d{1,9}$/,
  href: /^(https?:\/\/|mailto:)[\x21-\x7e]*$/,
  target: /^_blank$/,
  rel: /^noopener noreferrer nofollow$/,
};
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  p: ["dir"],
  br: [],
  strong: [],
  em: [],
  del: [],
  code: ["class"],
  a: ["href", "target", "rel"],
  h3: ["dir"],
  h4: ["dir"],
  h5: ["dir"],
  h6: ["dir"],
  pre: [],
  blockquote: [],
  ul: [],
  ol: ["start"],
  li: ["dir"],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: ["dir", "class"],
  td: ["dir", "class"],
  hr: [],
  span: ["class"],
};
const VOID = new Set(["br", "hr"]);
const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)>|([^<>]+)/y;

/** The text in the HTML; throws on any tag, attribute or value that is not allowed, and on tags that do not match. */
export function readHtml(html: string): string {
  const open: string[] = [];
  let text = "";
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < html.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(html);
    if (match === null) throw new Error(`not HTML of ours at ${at}: ${html.slice(at, at + 60)}`);
    const [, closing, tag = "", attributes = "", characters] = match;
    if (characters !== undefined) {
      text += unescaped(characters);
    } else if (closing === "/") {
      if (open.pop() !== tag) throw new Error(`</${tag}> closes another tag`);
    } else {
      checkTag(tag, attributes);
      if (!VOID.has(tag)) open.push(tag);
      if (tag === "br") text += "\n";
    }
  }
  if (open.length > 0) throw new Error(`never closed: ${open.join(", ")}`);
  return text;
}

function checkTag(tag: string, attributes: string): void {
  const allowed = ALLOWED[tag];
  if (allowed === undefined) throw new Error(`tag ${tag}`);
  for (const [, name = "", value = ""] of attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
    if (!allowed.includes(name)) throw new Error(`attribute ${name} on ${tag}`);
    if (ATTRIBUTES[name]?.test(unescaped(value)) !== true) throw new Error(`${name}="${value}" on ${tag}`);
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function unescaped(text: string): string {
  return text.replace(/&[^;]{0,6};?/g, (found) => {
    const character = ENTITIES[found];
    if (character === undefined) throw new Error(`entity ${found}`);
    return character;
  });
}
