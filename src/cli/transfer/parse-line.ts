import { isRecord } from "../../core/index.js";
import { type ArchiveLine, FORMAT, FORMAT_VERSION } from "./format.js";
import { parseAskLine } from "./parse-ask-line.js";
import { parseTranscriptLine } from "./parse-transcript-line.js";

export type ParsedLine =
  | { readonly ok: true; readonly line: ArchiveLine }
  | { readonly ok: false; readonly fault: string };

/** One line of an archive, checked through and through: it may come from anywhere. */
export function parseLine(text: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, fault: "is no JSON" };
  }
  if (!isRecord(value)) return { ok: false, fault: "is no object" };
  switch (value.kind) {
    case "header":
      return parseHeader(value);
    case "ask":
      return parseAskLine(value);
    case "transcript":
      return parseTranscriptLine(value);
    case "end": {
      const { asks, events, transcripts, entries } = value;
      if (!isCount(asks) || !isCount(events) || !isCount(transcripts) || !isCount(entries))
        return { ok: false, fault: "has no counts" };
      return { ok: true, line: { kind: "end", asks, events, transcripts, entries } };
    }
    default:
      return {
        ok: false,
        fault: 'is of no kind that is known; it must be "header", "transcript", "ask" or "end"',
      };
  }
}

function parseHeader({ format, version, exportedAt, store }: Readonly<Record<string, unknown>>): ParsedLine {
  if (format !== FORMAT || !isCount(version)) return { ok: false, fault: "is no header of askline export" };
  if (version !== FORMAT_VERSION) {
    const advice =
      version > FORMAT_VERSION
        ? "update it with npm install askline@latest"
        : "import it with an older askline, and export it again";
    return {
      ok: false,
      fault: `is of version ${version}, and this askline reads version ${FORMAT_VERSION}: ${advice}`,
    };
  }
  if (!isCount(exportedAt) || typeof store !== "string") return { ok: false, fault: "is no whole header" };
  return { ok: true, line: { kind: "header", format: FORMAT, version, exportedAt, store } };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
