// Checks the write-ahead log of a file. If the start of a log is damaged, SQLite silently ignores all of it, including
// commits that are nowhere else. Format: https://www.sqlite.org/fileformat.html#the_write_ahead_log

import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;
const LARGEST_PAGE = 65_536;

export interface WriteAheadLog {
  readonly path: string;
  /** In bytes; 0 if there is no log. */
  readonly size: number;
}

/** The log of a file. For a symbolic link, SQLite keeps the log next to the link's target. */
export function logOf(path: string): WriteAheadLog {
  const log = `${realPath(path)}-wal`;
  return { path: log, size: statSync(log, { throwIfNoEntry: false })?.size ?? 0 };
}

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Whether a log has entries but SQLite would ignore all of them. */
export function isDamaged({ path, size }: WriteAheadLog): boolean {
  if (size <= HEADER) return false;
  const bytes = readStart(path);
  // Another process may have emptied or removed the log since its size was read.
  if (bytes.length <= HEADER) return false;
  const header = bytes.subarray(0, HEADER);
  const magic = header.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== MAGIC) return true;
  const bigEndian = (magic & 1) === 1;
  const checksum = sum([0, 0], header.subarray(0, 24), bigEndian);
  if (!matches(checksum, header, 24)) return true;
  const pageSize = header.readUInt32BE(8);
  const frame = bytes.subarray(HEADER, HEADER + FRAME_HEADER + pageSize);
  if (frame.length < FRAME_HEADER + pageSize) return true;
  if (!frame.subarray(8, 16).equals(header.subarray(16, 24))) return true;
  const first = sum(checksum, frame.subarray(0, 8), bigEndian);
  return !matches(sum(first, frame.subarray(FRAME_HEADER), bigEndian), frame, 16);
}

function readStart(path: string): Buffer {
  const bytes = Buffer.alloc(HEADER + FRAME_HEADER + LARGEST_PAGE);
  const file = openIfPresent(path);
  if (file === undefined) return bytes.subarray(0, 0);
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

type Checksum = readonly [number, number];

function sum([initial1, initial2]: Checksum, bytes: Buffer, bigEndian: boolean): Checksum {
  let [sum1, sum2] = [initial1, initial2];
  const read = (offset: number): number =>
    bigEndian ? bytes.readUInt32BE(offset) : bytes.readUInt32LE(offset);
  for (let offset = 0; offset + 8 <= bytes.length; offset += 8) {
    sum1 = (sum1 + read(offset) + sum2) >>> 0;
    sum2 = (sum2 + read(offset + 4) + sum1) >>> 0;
  }
  return [sum1, sum2];
}

function matches([sum1, sum2]: Checksum, bytes: Buffer, offset: number): boolean {
  return bytes.readUInt32BE(offset) === sum1 && bytes.readUInt32BE(offset + 4) === sum2;
}
