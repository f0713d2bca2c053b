// Bundles the commands, because a command pays for every file it loads at each start.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { build } from "esbuild";
import { root } from "./run.mjs";

// An agent starts these for every call, so each is one file that shares nothing with the others.
const SINGLE_FILES = new Set(["ask_user"]);

const outdir = join(root, "dist/bin");

// What the package depends on is installed beside it: a native addon cannot be bundled, and the rest would be
// there twice. What is bundled is only ours to build with.
const { dependencies = {}, peerDependencies = {} } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
// Small peers that every server wants, so that nobody has to install them for the commands; and marked, because a
// bundled file starts sooner than one that has to be looked up.
const BUNDLED = new Set([
  "prom-client",
  "@opentelemetry/api",
  "marked",
  "@modelcontextprotocol/server",
  "@agentclientprotocol/sdk",
]);
const installed = Object.keys({ ...dependencies, ...peerDependencies });
const external = installed.filter((name) => !BUNDLED.has(name)).flatMap((name) => [name, `${name}/*`]);

/** Each file of `dist/bin` (its path in there, what it holds, whether it is a command), not yet written. */
export async function bundleCommands(sources) {
  const single = sources.filter((path) => SINGLE_FILES.has(basename(path, ".ts")));
  const shared = sources.filter((path) => !SINGLE_FILES.has(basename(path, ".ts")));
  const bundles = await Promise.all([
    ...single.map((path) => bundle([path], { splitting: false })),
    ...(shared.length > 0 ? [bundle(shared, { splitting: true })] : []),
  ]);
  return [...bundles.flatMap((made) => made.files), ...noticeFile(bundles.flatMap((made) => made.inputs))];
}

/**
 * A module of the library with the packages that only it imports, so that nobody has to install them: its file, and
 * their notices beside it.
 */
export async function bundleModule(source) {
  const { files, inputs } = await bundle([source], {
    splitting: false,
    plugins: [],
    minifyIdentifiers: true,
  });
  const [file] = files;
  const [notices] = noticeFile(inputs);
  return { contents: file.contents.replace(SHEBANG, ""), notices: notices.contents };
}

// A module that contains its packages is in dist once; the commands load it from there. Every file that imports it is a
// chunk, in dist/bin/chunks.
const sharedModules = {
  name: "shared modules",
  setup(build) {
    build.onResolve({ filter: /^\.\/web-push\.js$/ }, () => ({
      path: "../../people/channels/push/web-push.js",
      external: true,
    }));
  },
};

async function bundle(entryPoints, { splitting, plugins = [sharedModules], minifyIdentifiers = false }) {
  const { outputFiles, metafile } = await build({
    entryPoints,
    splitting,
    outdir,
    chunkNames: "chunks/[name]-[hash]",
    absWorkingDir: root,
    bundle: true,
    external,
    // Its CommonJS build loads its own files in a way that cannot be bundled.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    format: "esm",
    platform: "node",
    target: "node20.19",
    charset: "utf8",
    legalComments: "none",
    // Nobody reads these, and every install and start pays for their size; names stay, for stack traces.
    minifyWhitespace: true,
    minifyIdentifiers,
    plugins,
    minifySyntax: true,
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  // esbuild also calls a lazily loaded file an entry point; only ours are commands.
  const commands = new Set(entryPoints.map((path) => `${basename(path, ".ts")}.js`));
  const files = outputFiles.map(({ path, text }) => {
    const name = relative(outdir, path);
    const executable = commands.has(name);
    return { path: name, executable, contents: withHead(text, executable) };
  });
  return { files, inputs: Object.keys(metafile.inputs) };
}

const SHEBANG = "#!/usr/bin/env node\n";
const REQUIRE = `import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\n`;

// A bundled CommonJS package still calls `require` for Node's own modules, and an ES module has none. Only
// the file that holds esbuild's stand-in for it gets a real one: the import costs a little at each start.
function withHead(text, executable) {
  const body = text.startsWith("#!") ? text.slice(text.indexOf("\n") + 1) : text;
  const needsRequire = body.includes('typeof require<"u"');
  return `${executable ? SHEBANG : ""}${needsRequire ? REQUIRE : ""}${body}`;
}

// The licences of bundled packages require their notice in every copy.
export function noticeFile(inputs) {
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const bundled = [...new Set(folders.filter((folder) => folder !== undefined))].sort();
  if (bundled.length === 0) return [];
  const notices = bundled.map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    return `${name} ${version}\n\n${licenceOf(join(root, folder))}\n`;
  });
  const contents = `The files in this folder contain these packages.\n\n${notices.join("\n---\n\n")}`;
  return [{ path: "NOTICES.txt", executable: false, contents }];
}

function licenceOf(folder) {
  const name = readdirSync(folder).find((file) => /^licen[cs]e(\.\w+)?$/i.test(file));
  if (name === undefined) return namedLicence(folder);
  return readFileSync(join(folder, name), "utf8").trim();
}

/** A package without a licence file: what its package.json says. */
function namedLicence(folder) {
  const { license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof license !== "string") throw new Error(`${folder} has no licence, so it cannot be bundled`);
  return `${license} (from its package.json; it has no licence file). Author: ${author?.name ?? author ?? "unknown"}`;
}
