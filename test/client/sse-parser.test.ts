import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSseParser, type SseMessage } from "../../src/client/sse-parser.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function parse(chunks: readonly Uint8Array[]): readonly SseMessage[] {
  const parser = createSseParser({ maxLength: 10_000 });
  return chunks.flatMap((chunk) => parser.push(chunk));
}

const parseText = (text: string): readonly SseMessage[] => parse([bytes(text)]);

describe("a stream of events", () => {
  it.each([
    ["data: a\n\n", [{ event: "message", data: "a", id: "" }]],
    ["data:a\n\n", [{ event: "message", data: "a", id: "" }]],
    ["data:  a \n\n", [{ event: "message", data: " a ", id: "" }]],
    ["data\n\n", [{ event: "message", data: "", id: "" }]],
    ["data: a\ndata: b\n\n", [{ event: "message", data: "a\nb", id: "" }]],
    ["data: a\r\rdata: b\r\n\r\n", ["a", "b"].map((data) => ({ event: "message", data, id: "" }))],
    ["\uFEFFdata: a\n\n", [{ event: "message", data: "a", id: "" }]],
    [": note\nid: 7\nevent: ask.created\ndata: {}\n\n", [{ event: "ask.created", data: "{}", id: "7" }]],
    ["id: 7\ndata: a\n\ndata: b\n\n", ["a", "b"].map((data) => ({ event: "message", data, id: "7" }))],
    ["id: 7\n\nid: 8\0\ndata: a\n\n", [{ event: "message", data: "a", id: "7" }]],
    ["event: x\n\ndata: a\n\n", [{ event: "message", data: "a", id: "" }]],
    ["unknown: x\nDATA: b\n data: c\n\n", []],
    ["data: cut off", []],
    ["data: cut off\n", []],
  ])("%j", (text, messages) => {
    expect(parseText(text)).toEqual(messages);
  });

  it("may say how far it is without an event, once that block has ended", () => {
    const parser = createSseParser({ maxLength: 100 });
    parser.push(bytes("id: 7\n"));
    expect(parser.lastId).toBe("");
    expect(parser.push(bytes("\n"))).toEqual([]);
    expect(parser.lastId).toBe("7");
  });

  it("may say how long to wait, in digits only", () => {
    const parser = createSseParser({ maxLength: 100 });
    parser.push(bytes("retry: 1e9\nretry: 99999999999\nretry: -1\n"));
    expect(parser.retryMs).toBeUndefined();
    parser.push(bytes("retry: 1500\n"));
    expect(parser.retryMs).toBe(1_500);
  });

  it.each(["data: ", "event: ", "id: ", ": ", ""])("may not fill the memory with %j", (start) => {
    const parser = createSseParser({ maxLength: 1_000 });
    parser.push(bytes(start));
    expect(() => {
      for (let i = 0; i < 20; i += 1) parser.push(bytes("x".repeat(100)));
    }).toThrow(RangeError);
  });

  it("may not fill the memory with many lines of one event", () => {
    const parser = createSseParser({ maxLength: 1_000 });
    expect(() => {
      for (let i = 0; i < 2_000; i += 1) parser.push(bytes("data\n"));
    }).toThrow(RangeError);
  });

  const line = fc.oneof(
    fc.constantFrom("", "", "data", ":", "id: 5", "retry: 10", "event: ask.created", "data: {}"),
    fc
      .tuple(fc.constantFrom("data", "id", "event", "", "other"), fc.string({ unit: "grapheme" }))
      .map(([name, value]) => `${name}: ${value}`),
  );
  const ended = fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")).map(([text, end]) => text + end);
  const streams = fc.array(ended, { maxLength: 30 }).map((lines) => bytes(lines.join("")));

  it("gives the same events however it is cut into chunks", () => {
    fc.assert(
      fc.property(streams, fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (whole, sizes) => {
        expect(parse(chunked(whole, sizes))).toEqual(parse([whole]));
      }),
      { numRuns: 500 },
    );
  });

  it("gives back what was written, whatever ends the lines", () => {
    // Anything but a line end survives, and an id without NUL.
    const text = fc.string({ unit: "binary" }).map((value) => value.replaceAll(/[\r\n]/g, " "));
    const message = fc.record({
      event: text.filter((name) => name !== ""),
      data: fc.array(text, { minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(message), fc.constantFrom("\n", "\r", "\r\n"), (messages, end) => {
        const lines = messages.flatMap(({ event, data }) => [
          `event: ${event}`,
          ...data.map((part) => `data: ${part}`),
          "",
        ]);
        const written = lines.map((one) => one + end).join("");
        expect(createSseParser({ maxLength: 1e9 }).push(bytes(written))).toEqual(
          messages.map(({ event, data }) => ({ event, data: data.join("\n"), id: "" })),
        );
      }),
    );
  });
});

function chunked(whole: Uint8Array, sizes: Iterator<number>): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < whole.length; ) {
    const size: number = sizes.next().value;
    chunks.push(whole.subarray(start, start + size));
    start += size;
  }
  return chunks;
}
