import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { root } from "../package/repository.ts";

describe("the client in a browser", () => {
  it("needs nothing of Node, no package, and little room", async () => {
    const { metafile, outputFiles } = await build({
      // What a page pays that connects. The gateway's resolver, which checks asks itself, is there on demand.
      stdin: {
        contents: `export { connect } from "./src/client/index.ts";`,
        resolveDir: root,
      },
      absWorkingDir: root,
      bundle: true,
      minify: true,
      format: "esm",
      // An import of node: is an error here.
      platform: "browser",
      metafile: true,
      write: false,
      logLevel: "silent",
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.filter((path) => !/^(<stdin>|src\/(client|core|dialects)\/.*)$/.test(path))).toEqual([]);
    const [output] = outputFiles;
    const size = gzipSync(output?.contents ?? "").length;
    console.log(`the client is ${size} bytes gzipped, with what it needs of core`);
    expect(size).toBeLessThan(9_600);
  });
});
