import type { Readable } from "node:stream";

/** The whole of a stream as text; undefined where it holds more than `most` bytes or the signal aborts. */
export async function readAll(
  input: Readable,
  most: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (): void => {
    input.destroy();
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) return undefined;
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > most) return undefined;
      chunks.push(bytes);
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return Buffer.concat(chunks).toString();
}
