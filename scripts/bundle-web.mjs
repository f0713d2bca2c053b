// Bundles what runs in browsers: `dist/people/web` for pages and bundlers, where further parts load on demand;
// `dist/people/web/card.html`, one file that needs nothing else; and `dist/people/web/pages`, which the server serves with its pages.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { noticeFile } from "./bundle-commands.mjs";
import { root } from "./run.mjs";

const outdir = join(root, "dist/people/web");

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
// Seen from the chunk that the card is in.
const PARSER = "../parse.js";
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

// A part that loads on demand comes after the card. If it imports the card, esbuild knows that, and puts everything that
// the card has into one file: as several files, one for each set of parts that share something, it is 4% larger.
const after = (entry) => ({
  name: "after-entry",
  setup(setup) {
    setup.onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, kind, resolveDir }) =>
      kind === "dynamic-import"
        ? { path: join(resolveDir, path.replace(/js$/, "ts")), pluginData: "part" }
        : undefined,
    );
    setup.onLoad({ filter: /\.ts$/ }, ({ path, pluginData }) => {
      if (pluginData !== "part") return undefined;
      const first = JSON.stringify(join(root, entry));
      return { contents: `${readFileSync(path, "utf8")}\nimport ${first};\n`, loader: "ts" };
    });
  },
});

// Almost every page shows the inbox. On a slow line, a part that is asked for after the script has come costs a second.
const inboxAtOnce = {
  name: "inbox-at-once",
  setup(setup) {
    setup.onLoad({ filter: /src\/people\/web\/elements\.ts$/ }, ({ path }) => {
      const later = 'import("./inbox/control.js")';
      const [before, after, ...more] = readFileSync(path, "utf8").split(later);
      if (after === undefined || more.length > 0) throw new Error(`${path} should have one ${later}`);
      const contents = `import { control } from "./inbox/control.js";\n${before}Promise.resolve({ control })${after}`;
      return { contents, loader: "ts" };
    });
  },
};

// The longest languages are shown without colours in the single file, and JavaScript with those of TypeScript, whose
// grammar has all of its own.
const fewLanguages = {
  name: "few-languages",
  setup(setup) {
    setup.onLoad({ filter: /highlight\.js\/es\/languages\/(css|java|rust|go)\.js$/ }, () => ({
      contents: "export default () => ({ contains: [] });",
    }));
    setup.onLoad({ filter: /highlight\.js\/es\/languages\/javascript\.js$/ }, () => ({
      contents: 'export { default } from "./typescript.js";',
    }));
  },
};

// What is alike compresses better together: the same words in both languages, and what only the parser needs. That is
// 0.8 KB of the single file.
const alikeFirst = {
  name: "alike-first",
  setup(setup) {
    const languages = readdirSync(join(root, "src/core/words"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const words = ["approval", "settled", "basics", "card", "issues"].flatMap((name) =>
      languages.map((language) => join(root, `src/core/words/${language}/${name}.ts`)),
    );
    const first = [...words, join(root, "src/people/web/card/parse.ts")].map(
      (file) => `import ${JSON.stringify(`first:${file}`)};\n`,
    );
    setup.onLoad({ filter: /\/web\/single\.ts$/ }, ({ path }) => ({
      contents: first.join("") + readFileSync(path, "utf8"),
      loader: "ts",
    }));
    setup.onResolve({ filter: /^first:/ }, (found) => ({
      path: found.path.slice("first:".length),
      sideEffects: true,
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

/** Each file of `dist/people/web` (its path in there, and what it holds), not yet written; and the sizes in bytes, gzipped. */
export async function bundleWeb() {
  const [web, parser, highlight, views, single, pages, worker] = await Promise.all([
    build({
      ...shared,
      entryPoints: [join(root, "src/people/web/index.ts")],
      plugins: [cssText, parserApart, highlightApart, viewsApart, after("src/people/web/card.ts")],
      splitting: true,
      format: "esm",
      outdir,
      chunkNames: "chunks/[name]-[hash]",
    }),
    build({ ...shared, entryPoints: [join(root, "src/people/web/card/parse.ts")], format: "esm", outdir }),
    build({
      ...shared,
      entryPoints: [join(root, "src/people/web/highlight.ts")],
      splitting: true,
      format: "esm",
      outdir: join(outdir, "chunks"),
      chunkNames: "[name]-[hash]",
    }),
    build({
      ...shared,
      entryPoints: ["inbox", "chat"].map((out) => ({
        in: join(root, `src/people/web/${out}/control.ts`),
        out,
      })),
      splitting: true,
      format: "esm",
      outdir: join(outdir, "views"),
      chunkNames: "[name]-[hash]",
    }),
    build({
      ...shared,
      entryPoints: [join(root, "src/people/web/single.ts")],
      plugins: [cssText, fewLanguages, alikeFirst],
      format: "iife",
      outdir,
    }),
    build({
      ...shared,
      entryPoints: [join(root, "src/people/web/pages/app.ts")],
      plugins: [cssText, inboxAtOnce, after("src/people/web/pages/app.ts")],
      splitting: true,
      format: "esm",
      outdir: join(outdir, "pages"),
      entryNames: "[name]-[hash]",
      chunkNames: "[name]-[hash]",
    }),
    build({
      ...shared,
      entryPoints: [join(root, "src/people/web/pages/worker.ts")],
      format: "iife",
      outdir: join(outdir, "pages"),
    }),
  ]);
  const bundled = [web, parser, highlight, views, pages, worker].flatMap(({ outputFiles }) => outputFiles);
  const files = oneScript(
    bundled.map(({ path, text }) => ({ path: relative(outdir, path), contents: text })),
  );
  const page = singlePage(single.outputFiles[0].text);
  const inputs = [web, highlight, views, single, pages].flatMap(({ metafile }) =>
    Object.keys(metafile.inputs),
  );
  return {
    files: [
      ...compressed([...files, ...icons()]),
      { path: "card.html", contents: page },
      ...noticeFile(inputs),
    ],
    sizes: {
      "first load": firstLoad(web.metafile, files),
      "single file": gzipped(page),
    },
  };
}

/** The icons of the pages, with a hash in each name, as browsers keep them for ever. */
function icons() {
  const folder = join(root, "src/people/web/pages");
  return readdirSync(folder)
    .filter((name) => /\.(svg|png)$/.test(name))
    .map((name) => {
      const contents = readFileSync(join(folder, name));
      const hash = createHash("sha256").update(contents).digest("hex").slice(0, 8).toUpperCase();
      const extension = extname(name);
      return { path: `pages/${basename(name, extension)}-${hash}${extension}`, contents };
    });
}

/** The pages' entry only imports the file that has everything: that one takes its name. */
function oneScript(files) {
  const entry = files.find(({ path }) => path.startsWith("pages/app-"));
  const [, chunk] = /^import"\.\/(chunk-\w+\.js)";/.exec(entry.contents) ?? [];
  if (chunk === undefined)
    throw new Error("the script of the pages should begin with the import of its one file");
  const name = (text) => text.replaceAll(chunk, chunk.replace("chunk", "app"));
  return files
    .filter((file) => file !== entry)
    .map(({ path, contents }) => ({ path: name(path), contents: name(contents) }));
}

/** The service worker gets the names of the files that it keeps, and what is text is written gzipped. */
function compressed(files) {
  const names = files.flatMap(({ path }) => (/^pages\/(?!worker\.js)/.test(path) ? [basename(path)] : []));
  return files.flatMap(({ path, contents }) => {
    if (!path.startsWith("pages/") || path.endsWith(".png")) return [{ path, contents }];
    const text =
      path === "pages/worker.js" ? `self.FILES=${JSON.stringify(names)};\n${contents}` : String(contents);
    return [{ path: `${path}.gz`, contents: gzipSync(text, { level: 9 }) }];
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
  visit("dist/people/web/index.js");
  const contents = new Map(files.map(({ path, contents: text }) => [`dist/people/web/${path}`, text]));
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
