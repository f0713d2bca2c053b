import { PassThrough, Writable } from "node:stream";

/** An output that remembers what was shown and can wait for it. */
export interface Screen {
  readonly stream: Writable & { columns?: number };
  text(): string;
  /** Resolves once the text has been shown `times` times. */
  shows(text: string, times?: number): Promise<void>;
}

export function screen(columns?: number): Screen {
  let shown = "";
  const waiting = new Set<() => void>();
  const stream: Writable & { columns?: number } = new Writable({
    write(chunk, _encoding, done) {
      shown += String(chunk);
      for (const check of waiting) check();
      done();
    },
  });
  if (columns !== undefined) stream.columns = columns;
  return {
    stream,
    text: () => shown,
    shows: (text, times = 1) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (shown.split(text).length <= times) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

/** An input that delivers these lines together and ends. */
export function lines(...all: readonly string[]): PassThrough {
  const input = new PassThrough();
  input.end(all.map((line) => `${line}\n`).join(""));
  return input;
}
