import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { root } from "../package/repository.ts";

describe("the client in a browser", () => {
  it("needs no Node module and no package, and stays small", async () => {
    const { metafile, outputFiles } = await build({
      // The cost for a page that only connects; the gateway resolver, which validates asks, is separate.
      stdin: {
        contents: `export { connect } from "./src/client/browser.ts";`,
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
    expect(inputs.filter((path) => !/^(<stdin>|src\/(client|core|agents\/shapes)\/.*)$/.test(path))).toEqual(
      [],
    );
    const [output] = outputFiles;
    const size = gzipSync(output?.contents ?? "").length;
    console.log(`the client is ${size} bytes gzipped, with what it needs of core`);
    // A tenth is the table of error codes, which says what may be tried again.
    // Reports and resume leases are 0.3 KB, draft hints 0.1 KB, labels of choices and tickets 0.3 KB,
    // reading a session 0.1 KB, the audit and the devices 0.2 KB, fetching the large ask of an event 0.1 KB.
    expect(size).toBeLessThan(11_400);
  });
});
