// Builds dist: the library compiled file by file, and the commands bundled.
//
// The build writes to a folder beside dist, which replaces dist at the end. A build that fails leaves the last
// good dist in place, and no reader finds half of one.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { transform } from "esbuild";
import { bundleCommands, bundleModule } from "./bundle-commands.mjs";
import { bundleWeb } from "./bundle-web.mjs";
import { root, runNode, tool } from "./run.mjs";

const started = Date.now();
const dist = join(root, "dist");
const PUBLIC_TYPES = new Set(["index.d.ts", "base-element.d.ts", "card.d.ts", "elements.d.ts", "types.d.ts"]);
const staging = join(root, `.dist-${process.pid}`);

try {
  checkDependencies();
  compile();
  await bundlePackages();
  const commands = await bundle();
  await bundleCard();
  await compileComponents();
  // When this build began to read src; scripts/prerequisites/dist.mjs compares it.
  writeFileSync(join(staging, ".built"), String(started));
  replaceDist();
  console.log(`built dist (${commands.join(", ") || "no commands"}) in ${Date.now() - started} ms`);
} catch (error) {
  console.error(`build failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(staging, { recursive: true, force: true });
}

/** After a pull, an outdated dependency causes errors that do not name it. */
function checkDependencies() {
  const { dependencies } = readJson("package.json");
  for (const [name, version] of Object.entries(dependencies)) {
    const path = join("node_modules", name, "package.json");
    const installed = existsSync(join(root, path)) ? readJson(path).version : "nothing";
    if (installed !== version) {
      throw new Error(
        `package.json wants ${name} ${version}, and ${installed} is installed; run: npm install`,
      );
    }
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function compile() {
  // Not `tsc -b`: its build info would call a removed dist up to date, and it cannot write elsewhere.
  tsc("-p", "tsconfig.json", "--composite", "false", "--incremental", "false", "--tsBuildInfoFile", "null");
  // The card is bundled; only its types are compiled file by file, with those of the components around it.
  tsc("-p", "src/people/web", "--noEmit", "false", "--emitDeclarationOnly", "--declarationMap", "false");
}

function tsc(...options) {
  const { ok, output } = runNode([tool("typescript", "tsc"), ...options, "--outDir", staging], {
    quiet: true,
  });
  if (!ok) throw new Error(`the sources do not compile\n${output}`);
}

/** These modules contain the packages that they import. */
async function bundlePackages() {
  for (const name of ["people/channels/push/web-push"]) {
    const { contents, notices } = await bundleModule(join(root, "src", `${name}.ts`));
    writeFileSync(join(staging, `${name}.js`), contents);
    writeFileSync(join(staging, name, "../NOTICES.txt"), notices);
  }
}

async function bundle() {
  const sources = ["askline.ts", "ask_user.ts"];
  for (const file of await bundleCommands(sources.map((name) => join(root, "src/cli", name)))) {
    const path = join(staging, "bin", file.path);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, file.contents);
    if (file.executable) chmodSync(path, 0o755);
  }
  return sources.map((name) => basename(name, ".ts"));
}

async function bundleCard() {
  const folder = join(staging, "people/web");
  // Types that no public type refers to would import packages that nobody has.
  for (const name of readdirSync(folder))
    if (!PUBLIC_TYPES.has(name)) rmSync(join(folder, name), { recursive: true });
  for (const { path, contents } of (await bundleWeb()).files) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
}

/** They import the bundled card, so the compiler, which would write the card's files too, gives only their types. */
async function compileComponents() {
  const folder = join(root, "src/people/react");
  for (const name of readdirSync(folder)) {
    const { code } = await transform(readFileSync(join(folder, name), "utf8"), {
      loader: "ts",
      target: "es2022",
    });
    writeFileSync(join(staging, "people/react", name.replace(/\.ts$/, ".js")), code);
  }
}

// Two builds may end at once; the one that finds the other's dist in its place moves that out again.
function replaceDist() {
  const old = `${staging}-old`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (existsSync(dist)) renameSync(dist, old);
      renameSync(staging, dist);
      return;
    } catch (error) {
      if (attempt === 5) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}
