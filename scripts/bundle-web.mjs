// Bundles what runs in browsers: `dist/web` for pages and bundlers, where further parts load on demand;
// `dist/web/card.html`, one file that needs nothing else; and `dist/web/pages`, which the server serves with its pages.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { noticeFile } from "./bundle-commands.mjs";
import { root } from "./run.mjs";

const outdir = join(root, "dist/web");

/** The most that they may have, gzipped. */
export const MOST_BYTES = { "first load": 30_000, "single file": 90_000 };

const cssText = {
  name: "css-text",
  setup(setup) {
    setup.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), {
        loader: "css",
        minify: true,
        target: "es2022",
      });
      return { contents: `export const styles = ${JSON.stringify(code.trim())};`, loader: "js" };
    });
  },
};

// In the same bundle, what only the parser needs would be loaded with the card: both import the index of core.
const PARSER = "./parse.js";
const parserApart = {
  name: "parser-apart",
  setup(setup) {
    setup.onResolve({ filter: /^\.\/parse\.js$/ }, ({ importer }) =>
      importer.endsWith("source.ts") ? { path: PARSER, external: true } : undefined,
    );
  },
};

// highlight.js is CommonJS: in the same bundle, the helpers for that would be loaded with the card.
const highlightApart = {
  name: "highlight-apart",
  setup(setup) {
    setup.onResolve({ filter: /^\.\/highlight\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

// The same for what the inbox and the chat show.
const viewsApart = {
  name: "views-apart",
  setup(setup) {
    setup.onResolve({ filter: /^\.\/(inbox|chat)\/control\.js$/ }, ({ path }) => ({
      path: path.replace(/^\.\/(\w+)\/control/, "./views/$1"),
      external: true,
    }));
  },
};

// The longest languages are shown without colours in the single file.
const fewLanguages = {
  name: "few-languages",
  setup(setup) {
    setup.onLoad({ filter: /highlight\.js\/es\/languages\/(css|java|rust|go)\.js$/ }, () => ({
      contents: "export default () => ({ contains: [] });",
    }));
  },
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: "neutral",
  mainFields: ["module", "main"],
  // lit's build for Node is the one that can also be imported where there is no document.
  conditions: ["node"],
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  plugins: [cssText],
  metafile: true,
  write: false,
  logLevel: "silent",
};

/** Each file of `dist/web` (its path in there, and what it holds), not yet written; and the sizes in bytes, gzipped. */
export async function bundleWeb() {
  const [web, parser, highlight, views, single, pages, worker] = await Promise.all([
    build({
      ...shared,
      entryPoints: [join(root, "src/web/index.ts")],
      plugins: [cssText, parserApart, highlightApart, viewsApart],
      splitting: true,
      format: "esm",
      outdir,
      chunkNames: "chunks/[name]-[hash]",
    }),
    build({ ...shared, entryPoints: [join(root, "src/web/card/parse.ts")], format: "esm", outdir }),
    build({
      ...shared,
      entryPoints: [join(root, "src/web/highlight.ts")],
      splitting: true,
      format: "esm",
      outdir: join(outdir, "chunks"),
      chunkNames: "[name]-[hash]",
    }),
    build({
      ...shared,
      entryPoints: ["inbox", "chat"].map((out) => ({ in: join(root, `src/web/${out}/control.ts`), out })),
      splitting: true,
      format: "esm",
      outdir: join(outdir, "views"),
      chunkNames: "[name]-[hash]",
    }),
    build({
      ...shared,
      entryPoints: [join(root, "src/web/single.ts")],
      plugins: [cssText, fewLanguages],
      format: "iife",
      outdir,
    }),
    build({
      ...shared,
      entryPoints: [join(root, "src/web/pages/app.ts")],
      splitting: true,
      format: "esm",
      outdir: join(outdir, "pages"),
      entryNames: "[name]-[hash]",
      chunkNames: "[name]-[hash]",
    }),
    build({
      ...shared,
      entryPoints: [join(root, "src/web/pages/worker.ts")],
      format: "iife",
      outdir: join(outdir, "pages"),
    }),
  ]);
  const bundled = [web, parser, highlight, views, pages, worker].flatMap(({ outputFiles }) => outputFiles);
  const files = bundled.map(({ path, text }) => ({ path: relative(outdir, path), contents: text }));
  const page = singlePage(single.outputFiles[0].text);
  const inputs = [web, highlight, views, single, pages].flatMap(({ metafile }) =>
    Object.keys(metafile.inputs),
  );
  return {
    files: [...files, ...icons(), { path: "card.html", contents: page }, ...noticeFile(inputs)],
    sizes: {
      "first load": firstLoad(web.metafile, files),
      "single file": gzipped(page),
    },
  };
}

/** The icons of the pages, with a hash in each name, as browsers keep them for ever. */
function icons() {
  const folder = join(root, "src/web/pages");
  return readdirSync(folder)
    .filter((name) => /\.(svg|png)$/.test(name))
    .map((name) => {
      const contents = readFileSync(join(folder, name));
      const hash = createHash("sha256").update(contents).digest("hex").slice(0, 8).toUpperCase();
      const extension = extname(name);
      return { path: `pages/${basename(name, extension)}-${hash}${extension}`, contents };
    });
}

/** What a browser loads before it can show a question: the entry, and what it imports at once. */
function firstLoad({ outputs }, files) {
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { path: next, kind } of outputs[path].imports) if (kind === "import-statement") visit(next);
  };
  visit("dist/web/index.js");
  const contents = new Map(files.map(({ path, contents: text }) => [`dist/web/${path}`, text]));
  return [...seen].reduce((sum, path) => sum + gzipped(contents.get(path)), 0);
}

function gzipped(text) {
  return gzipSync(text, { level: 9 }).length;
}

function singlePage(script) {
  // The only text that could end the element early.
  const safe = script.trim().replaceAll("</script", "<\\/script");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Askline</title>
<style>html{color-scheme:light dark;background:transparent}body{margin:0}</style>
<body><script>${safe}</script></body>
</html>
`;
}
