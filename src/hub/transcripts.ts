// Which log of a store is the transcript of which session.

/** What the names of all transcripts begin with. */
export const TRANSCRIPTS = "session/";

export function transcriptOf(sessionId: string): string {
  return `${TRANSCRIPTS}${sessionId}`;
}

export function sessionOfTranscript(log: string): string {
  return log.slice(TRANSCRIPTS.length);
}
