import type { Ask } from "../../core/model/ask.js";
import { contentOf } from "../../core/model/ending.js";
import { hang } from "../../people/cells/wrap.js";
import { headersPath } from "../connect/credentials.js";
import { answerHint, curlLine } from "../output/answer-hint.js";
import { shortId } from "../output/ask-summary.js";
import { contentText } from "../output/ask-text.js";
import { jsonText } from "../output/print.js";
import type { World } from "../world/world.js";
import { DEMO_AGENT, type DemoReporter, endingLine, sampleEnding } from "./run-demo.js";

export interface TextReporterOptions {
  readonly write: (text: string) => void;
  readonly columns: number | undefined;
  readonly url: string;
  /** The folder with the person's headers for `curl`; undefined if they are not on this disk. */
  readonly dataFolder?: string | undefined;
  /** Flags that `npx askline answer ID` needs to reach the server. */
  readonly hint: string;
  /** The inbox page, if its link was printed. */
  readonly inbox?: string;
}

/** Prints what the demo does, with command lines that answer it. */
export function textReporter(options: TextReporterOptions): DemoReporter {
  const { write, columns, url, dataFolder, hint, inbox } = options;
  const say = (text: string): void => write(`${hang(`${DEMO_AGENT}: `, text, columns)}\n`);
  return {
    resumed: (session) => say(`continuing ${session}, which was interrupted.`),
    asked(ask, step, count) {
      const [how] = answerHint(ask, hint).split("\n");
      const ending = sampleEnding(ask);
      const lines = [
        "",
        `${DEMO_AGENT} asks (${step} of ${count}), ${shortId(ask)}:`,
        ...(ask.context === undefined ? [] : [hang("", ask.context, columns)]),
        contentText(ask, columns),
        "",
        ...(dataFolder === undefined
          ? ["Answer it in the browser."]
          : [
              "Answer it with one of these lines:",
              `  npx ${how}`,
              `  ${curlLine(headersPath(dataFolder, url, "person"), `${url}/v1/asks/${ask.id}/${ending.type}`, contentOf(ending))}`,
              // The link above works once: for the first question, or not at all any more.
              ...(inbox === undefined
                ? []
                : [
                    step === 1
                      ? "or in the browser, with the link above."
                      : "or in the browser, where it has appeared.",
                  ]),
            ]),
      ];
      write(`${lines.join("\n")}\n`);
    },
    ended(ask, outcome, reaction) {
      write("\n");
      say(`${endingLine(ask, outcome)} ${reaction}`);
    },
    finished: () => say("that was the last question."),
  };
}

/** The same as lines of JSON. */
export function jsonReporter(stdout: World["stdout"]): DemoReporter {
  const say = (event: object): void => void stdout.write(`${jsonText(event, stdout)}\n`);
  return {
    resumed: (session) => say({ type: "resumed", session }),
    asked: (ask: Ask, step, count) => say({ type: "asked", step, count, ask }),
    ended: ({ id }, outcome, reaction) => say({ type: "ended", ask: id, outcome, reaction }),
    finished: () => say({ type: "finished" }),
  };
}
