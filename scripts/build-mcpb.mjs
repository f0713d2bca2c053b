// Builds askline.mcpb, the bundle of `askline mcp` for Claude Desktop: node scripts/build-mcpb.mjs [FILE]
//
// It contains the built commands and the packages that they need, for every platform that our SQLite has binaries for.
// The official tool checks the manifest and packs it; it is installed with the packages of test/agents.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureFrameworks } from "./prerequisites/frameworks.mjs";
import { root } from "./run.mjs";

const output = resolve(process.argv[2] ?? join(root, "askline.mcpb"));
const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

if (!existsSync(join(root, "dist/bin/askline.js"))) {
  console.error("there is no dist; run first: npm run build");
  process.exit(1);
}
await ensureFrameworks();
const tool = join(root, "test/agents/node_modules/@anthropic-ai/mcpb/dist");
const { packExtension } = await import(pathToFileURL(join(tool, "cli/pack.js")).href);
const folder = mkdtempSync(join(tmpdir(), "askline-mcpb-"));
try {
  const server = join(folder, "server");
  // Types and maps are for programs, and so is the library beside the commands, except for what they load from it.
  for (const part of ["bin", "people/web", "people/channels"]) {
    const filter = (path) => !/\.(d\.ts|map)$/.test(path);
    cpSync(join(root, "dist", part), join(server, "dist", part), { recursive: true, filter });
  }
  // The commands find the package's own files by its exports.
  const { name, version, type, license, exports } = about;
  writeJson(join(server, "package.json"), { name, version, type, license, exports });
  for (const from of packages(root, about)) {
    const isSource = (path) =>
      /[\\/]node_modules[\\/]@photostructure[\\/]sqlite[\\/](src|scripts)$/.test(path);
    cpSync(from, join(server, relative(root, from)), { recursive: true, filter: (path) => !isSource(path) });
  }
  cpSync(join(root, "src/people/web/pages/icon-512.png"), join(folder, "icon.png"));
  writeJson(join(folder, "manifest.json"), await manifest());
  // It validates the manifest first.
  if (!(await packExtension({ extensionPath: folder, outputPath: output, silent: true })))
    process.exitCode = 1;
  else console.log(`built ${output}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function manifest() {
  const { toolsFor } = await import(pathToFileURL(join(root, "dist/agents/mcp/tools.js")).href);
  const tools = toolsFor({ hasCard: false, showsCards: false, trustClient: false });
  return {
    manifest_version: "0.3",
    name: about.name,
    display_name: "Askline",
    version: about.version,
    description:
      "Claude asks you structured questions, and you answer in the conversation, a browser or a terminal.",
    author: { name: "The Askline authors" },
    license: about.license,
    icon: "icon.png",
    server: {
      type: "node",
      entry_point: "server/dist/bin/askline.js",
      // Without a directory of the project, which Claude Desktop does not have: its own folder would be shown to the person.
      mcp_config: {
        command: "node",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the host replaces it.
        args: ["${__dirname}/server/dist/bin/askline.js", "mcp", "--project", ""],
      },
    },
    tools: tools.map(({ name, title }) => ({ name, description: title })),
    keywords: about.keywords,
    compatibility: { platforms: ["darwin", "linux", "win32"], runtimes: { node: about.engines.node } },
  };
}

/** The folders of all packages that a package needs, its own excepted. */
function packages(folder, { dependencies = {} }, found = new Set()) {
  for (const name of Object.keys(dependencies)) {
    const from = find(folder, name);
    if (found.has(from)) continue;
    found.add(from);
    packages(from, JSON.parse(readFileSync(join(from, "package.json"), "utf8")), found);
  }
  return found;
}

function find(folder, name) {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, "node_modules", name);
    if (existsSync(path)) return path;
    if (at === root) throw new Error(`${name} is not installed; run: npm ci`);
  }
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
