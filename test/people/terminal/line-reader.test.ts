import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { MOST_LINE_BYTES, nextLine } from "../../../src/people/terminal/line-reader.ts";
import { lines } from "./streams.ts";

describe("nextLine", () => {
  it("returns lines that arrived together one by one, then the end on every call", async () => {
    const input = lines("one", "", "three");
    expect(await nextLine(input)).toEqual({ kind: "line", text: "one" });
    expect(await nextLine(input)).toEqual({ kind: "line", text: "" });
    expect(await nextLine(input)).toEqual({ kind: "line", text: "three" });
    expect(await nextLine(input)).toEqual({ kind: "end" });
    expect(await nextLine(input)).toEqual({ kind: "end" });
  });

  it("takes CRLF, a last line without newline, and characters cut in two", async () => {
    const bytes = Buffer.from("größer\r\nlast");
    const input = Readable.from(Array.from(bytes, (byte) => Buffer.of(byte)));
    expect(await nextLine(input)).toEqual({ kind: "line", text: "größer" });
    expect(await nextLine(input)).toEqual({ kind: "line", text: "last" });
    expect(await nextLine(input)).toEqual({ kind: "end" });
  });

  it("reads a stream that gives strings", async () => {
    const input = new PassThrough();
    input.setEncoding("utf8");
    input.end("größe\nzwei\n");
    expect(await nextLine(input)).toEqual({ kind: "line", text: "größe" });
    expect(await nextLine(input)).toEqual({ kind: "line", text: "zwei" });
  });

  it("drops a line that is too long and continues after it", async () => {
    const input = new PassThrough();
    input.write("x".repeat(MOST_LINE_BYTES + 1));
    input.end("y\nnext\n");
    expect(await nextLine(input)).toEqual({ kind: "too_long" });
    expect(await nextLine(input)).toEqual({ kind: "line", text: "next" });
  });

  it("gives back what an aborted read had already received", async () => {
    const input = new PassThrough();
    const abort = new AbortController();
    const read = nextLine(input, abort.signal);
    await new Promise((resolve) => {
      input.once("data", resolve);
      input.write("half");
    });
    abort.abort();
    expect(await read).toEqual({ kind: "aborted" });
    input.end(" and half\n");
    expect(await nextLine(input)).toEqual({ kind: "line", text: "half and half" });
  });

  it("leaves what follows its line for another reader of the same stream", async () => {
    const input = lines("ours", "theirs");
    await nextLine(input);
    const rest = await input.toArray();
    expect(Buffer.concat(rest).toString()).toBe("theirs\n");
  });

  it("treats a stream that fails, during a read or while idle, as ended", async () => {
    const input = new PassThrough();
    const read = nextLine(input);
    input.destroy(new Error("unplugged"));
    expect(await read).toEqual({ kind: "end" });
    expect(await nextLine(input)).toEqual({ kind: "end" });
  });

  it("leaves no listeners behind", async () => {
    const input = new PassThrough();
    const abort = new AbortController();
    for (let round = 0; round < 50; round += 1) {
      input.write("line\n");
      await nextLine(input, abort.signal);
    }
    expect(input.listenerCount("data")).toBe(0);
    expect(input.listenerCount("end")).toBeLessThan(3);
    expect(input.listenerCount("error")).toBeLessThan(3);
  });
});
