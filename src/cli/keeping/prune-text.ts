import type { Pruned } from "../../hub/index.js";
import { counted } from "../screen/numbers.js";
import { exactTime } from "../screen/time.js";

/**
 * What would be removed, as the beginning of a sentence. With a limit, which sessions lose their last ask shows only
 * when it is gone.
 */
export function describeFound({ asks, transcripts }: Pruned, before: number, limited: boolean): string {
  const time = exactTime(before);
  if (asks === 0)
    return `${counted(transcripts, "transcript")} of sessions without asks, last written to before ${time},`;
  const ended = `${counted(asks, "ask")} that ended before ${time}`;
  if (transcripts === 0) return ended;
  return `${ended}, and ${limited ? "up to " : ""}${counted(transcripts, "transcript")} of sessions without others,`;
}

/** `2 asks and 1 transcript removed.` */
export function describeRemoved({ asks, transcripts }: Pruned): string {
  return `${counted(asks, "ask")}${transcripts === 0 ? "" : ` and ${counted(transcripts, "transcript")}`} removed.`;
}

export function describeStopped(removed: Pruned, found: Pruned): string {
  const of = (noun: "ask" | "transcript"): string =>
    `${counted(removed[`${noun}s`], noun)} of ${found[`${noun}s`].toLocaleString("en")}`;
  const parts = found.transcripts === 0 ? [of("ask")] : [of("ask"), of("transcript")];
  return `Stopped: ${parts.join(" and ")} removed.`;
}
