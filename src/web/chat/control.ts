import type { AsklineChat, ElementControl } from "../elements.js";

export function control(_host: AsklineChat): ElementControl {
  return { connect: () => undefined, disconnect: () => undefined };
}
