// What the core costs for one ask, from a model's input to the text that goes back to it, beside the JSON
// parser that every one of its callers has paid already.
import { importAskline } from "../askline.mjs";
import { callsPerSecond } from "../interleave.mjs";
import { fourQuestions } from "../sample-ask.mjs";

const by = { kind: "person", id: "person_1", surface: "bench" };

export const core = {
  name: "core",
  title: "Parse, validate and format an ask of four questions",
  rounds: 60,
  warmUp: 5,
  async open() {
    const { parse, parseValidateFormat } = await coreCalls();
    const text = JSON.stringify(fourQuestions.ask);

    function parseJson() {
      if (JSON.parse(text).questions.length !== 4) throw new Error("the sample ask has four questions");
    }

    const json = "`JSON.parse` of the document";
    return {
      measurements: [
        { name: json, unit: "/s", slice: sliced(parseJson) },
        { name: "`parseAsk`", unit: "/s", ratioTo: json, slice: sliced(parse) },
        {
          name: "`parseAsk`, `validateAnswers`, `formatAnswers`",
          unit: "/s",
          ratioTo: json,
          slice: sliced(parseValidateFormat),
        },
      ],
    };
  },
};

/** What is measured of the core, of this build or of the one in another checkout. */
export async function coreCalls(checkout) {
  const { parseAsk, validateAnswers, formatAnswers, profiles } = await importAskline(".", checkout);
  const input = JSON.parse(JSON.stringify(fourQuestions.ask));

  function parse() {
    const parsed = parseAsk(input, { profile: profiles.claude });
    if (!parsed.ok) throw new Error(`the sample ask is refused: ${JSON.stringify(parsed.issues)}`);
    return parsed.ask;
  }

  function parseValidateFormat() {
    const ask = parse();
    const checked = validateAnswers(ask, fourQuestions.answers);
    if (!checked.ok) throw new Error(`the sample answers are refused: ${JSON.stringify(checked.issues)}`);
    const answered = formatAnswers(ask, { kind: "answered", answers: checked.answers, by });
    if (answered === "") throw new Error("the sample answers gave no text");
  }

  return { parse, parseValidateFormat };
}

export function sliced(run) {
  return callsPerSecond(run, { milliseconds: 40 });
}
