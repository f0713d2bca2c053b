import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { root } from "./repository.ts";

// What must stay small: the toolbox command is started once a call, and the form is loaded into other people's
// pages. The card is below. An entry is looked at as soon as its folder exists, and must then be there.
const SMALL_BUNDLES = [
  { folder: "src/core", entry: "src/index.ts", most: 60_000 },
  { folder: "src/cli", entry: "src/cli/ask_user.ts", most: 10_000 },
  { folder: "src/people/form", entry: "src/people/form/index.ts", most: 100_000 },
].filter(({ folder }) => hasFiles(folder));

const SCHEMA_LIBRARIES = /node_modules\/(zod|valibot|ajv|@sinclair\/typebox|arktype|yup|joi)\//;

describe("small bundles", () => {
  it.each(SMALL_BUNDLES)(
    "$entry contains no schema library and at most $most bytes",
    async ({ entry, most }) => {
      const { inputs, bytes } = await bundle({ entryPoints: [join(root, entry)] });
      expect(inputs.filter((input) => SCHEMA_LIBRARIES.test(input))).toEqual([]);
      expect(bytes).toBeLessThan(most);
    },
  );

  it("would find one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "askline-bundles-"));
    mkdirSync(join(folder, "node_modules/zod"), { recursive: true });
    writeFileSync(join(folder, "node_modules/zod/index.js"), "export const z = 1;");
    const stdin = { contents: `import { z } from "zod"; console.log(z);`, resolveDir: folder };
    const { inputs } = await bundle({ stdin });
    rmSync(folder, { recursive: true, force: true });
    expect(inputs.filter((input) => SCHEMA_LIBRARIES.test(input))).toHaveLength(1);
  });
});

function hasFiles(folder: string): boolean {
  return existsSync(join(root, folder)) && readdirSync(join(root, folder)).length > 0;
}

async function bundle(
  from: Pick<Parameters<typeof build>[0], "entryPoints" | "stdin">,
): Promise<{ readonly inputs: readonly string[]; readonly bytes: number }> {
  const { metafile, outputFiles } = await build({
    ...from,
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const bytes = (outputFiles ?? []).reduce((sum, file) => sum + file.contents.length, 0);
  return { inputs: Object.keys(metafile?.inputs ?? {}), bytes };
}
