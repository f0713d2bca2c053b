/** A `curl` command that posts JSON with the headers of a file; one line, to be copied into a shell. */
export function curlLine(headersFile: string, url: string, body: unknown): string {
  return `curl -sS -H ${shellQuote(`@${headersFile}`)} -d ${shellQuote(JSON.stringify(body))} ${shellQuote(url)}`;
}

/** One word of a POSIX shell, quoted only where it must be. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
