import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Input } from "../../../src/people/terminal/dialogue.ts";
import { pastedLines } from "../../../src/people/terminal/pasted-lines.ts";

/** A terminal that delivers its unfinished line in raw mode. */
function terminal(half: string): PassThrough & Input {
  const input = new PassThrough();
  return Object.assign(input, {
    isTTY: true,
    setRawMode: (on: boolean) => on && half !== "" && input.write(half),
  });
}

describe("lines that were pasted", () => {
  it.each([undefined, "utf8"] as const)(
    "are whole, with the last half of one (encoding %s)",
    async (encoding) => {
      const input = terminal("half ü");
      if (encoding !== undefined) input.setEncoding(encoding);
      input.write("second\nthird\n");
      expect(await pastedLines(input, undefined)).toEqual({
        lines: ["second", "third", "half ü"],
        unended: true,
      });
    },
  );

  it("are empty if nothing was pasted, or the input has ended", async () => {
    const none = { lines: [], unended: false };
    expect(await pastedLines(terminal(""), undefined)).toEqual(none);
    const ended = terminal("");
    ended.end();
    expect(await pastedLines(ended, undefined)).toEqual(none);
  });
});
