// The site of the documents, from the same files: `npm run docs:site`. The order of the pages is that of README.md.
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const { repository } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const source = `${repository.url.replace(/^git\+/, "").replace(/\.git$/, "")}/blob/main`;

export default {
  title: "Askline",
  description: "The line between AI agents and people",
  lang: "en",
  rewrites: { "README.md": "index.md" },
  // A page by its file name works on every static host, and from the disk of a web server without rules.
  cleanUrls: false,
  lastUpdated: false,
  markdown: { config: linkToRepository, languageAlias: { caddyfile: "nginx" } },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Start", link: "/start" },
      { text: "Fields", link: "/reference" },
      { text: "Source", link: repository.url.replace(/^git\+/, "").replace(/\.git$/, "") },
    ],
    sidebar: sections(),
    outline: [2, 3],
  },
};

/** The sections of README.md with the pages that they link to. */
function sections() {
  const index = readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [text = ""] = section.split("\n");
      const links = [...section.matchAll(/\[([^\]]+)\]\((\w[\w/-]*)\.md\)/g)];
      // A page that several rows lead to is there once.
      const names = new Map(links.reverse().map(([, name, page]) => [page, name]));
      const items = [...names].reverse().map(([page, name]) => ({ text: titled(name), link: `/${page}` }));
      return { text, items };
    });
}

function titled(name) {
  return name[0].toUpperCase() + name.slice(1);
}

/** Files beside the documents, such as examples, are not part of the site: they are in the repository. */
function linkToRepository(markdown) {
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    const folder = posix.dirname(`docs/${env.relativePath === "index.md" ? "README.md" : env.relativePath}`);
    for (const token of tokens.flatMap((token) => [token, ...(token.children ?? [])])) {
      // Without the dot, the picture of an <img> would be taken for a package.
      if (token.type.startsWith("html_"))
        token.content = token.content.replaceAll('src="images/', 'src="./images/');
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href === null || /^([a-z]+:|#|\/)/.test(href)) continue;
      const target = posix.normalize(posix.join(folder, href));
      if (!target.startsWith("docs/")) token.attrSet("href", `${source}/${target}`);
    }
  });
}
