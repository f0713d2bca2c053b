import fc from "fast-check";
import { expect, it } from "vitest";
import { parseAsk, validateAnswers } from "../../src/index.js";
import { arbitraryAnswers, arbitraryAsk, arbitraryAskInput } from "../support/arbitraries.js";

it("parsing what was parsed changes nothing, even after a trip through JSON", () => {
  fc.assert(
    fc.property(arbitraryAskInput(), (input) => {
      const parsed = parseAsk(input);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
      expect(parseAsk(parsed.ask)).toEqual(parsed);
      expect(parseAsk(JSON.parse(JSON.stringify(parsed.ask)))).toEqual(parsed);
      expect(parseAsk(JSON.stringify(input))).toEqual(parsed);
    }),
  );
});

it("a valid answer is taken as it is, and taken again", () => {
  const asked = arbitraryAsk().chain((ask) => arbitraryAnswers(ask).map((answers) => ({ ask, answers })));
  fc.assert(
    fc.property(asked, ({ ask, answers }) => {
      expect(validateAnswers(ask, answers)).toEqual({ ok: true, answers });
    }),
  );
});
