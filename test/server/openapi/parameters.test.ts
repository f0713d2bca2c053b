import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AsklineError } from "../../../src/index.js";
import type { Parameter } from "../../../src/server/http/parameter.js";
import * as PARAMETERS from "../../../src/server/http/parameters.js";

const ajv = new Ajv2020({ strict: false });
const parameters = Object.entries(PARAMETERS) as [string, Parameter][];

/** As a query or a header gives it: text, or a number where the schema wants one. */
function asGiven({ schema }: Parameter, text: string): unknown {
  return schema.type === "integer" && /^\d+$/.test(text) ? Number(text) : text;
}

describe.each(parameters)("the parameter %s", (_name, parameter) => {
  const { name, schema } = parameter;
  const isValid = ajv.compile(schema);
  const read = (text: string | undefined): unknown => parameter.read({ get: () => text ?? null });
  const edges = [schema.minimum, schema.maximum].filter((edge) => typeof edge === "number");
  const texts = fc.oneof(
    fc.string({ minLength: 1, maxLength: 300, unit: "binary" }),
    fc.nat().map(String),
    fc.stringMatching(/^\d{1,15}(\.\d{1,4})?$/),
    fc.stringMatching(/^[\w.-]{1,70}$/),
    fc.constantFrom(
      ...(Array.isArray(schema.enum) ? schema.enum.map(String) : ["x"]),
      ...edges.flatMap((edge) => [edge - 1, edge, edge + 1].map(String)),
      "a".repeat(256),
      "a".repeat(257),
      "\u0085",
      "-1",
      "1.5",
      " 1",
    ),
  );

  it("takes what its schema allows, and nothing else", () => {
    fc.assert(
      fc.property(texts, (text) => {
        let refusal: unknown;
        try {
          read(text);
        } catch (error) {
          refusal = error;
        }
        if (refusal !== undefined) {
          expect(refusal).toBeInstanceOf(AsklineError);
          expect((refusal as AsklineError).code).toBe("invalid_request");
          expect((refusal as AsklineError).message.startsWith(name)).toBe(true);
        }
        // Lengths are counted in other units: between the two, either is right.
        if (text.length !== [...text].length) return;
        expect(refusal === undefined, JSON.stringify(text)).toBe(isValid(asGiven(parameter, text)));
      }),
      { numRuns: 300 },
    );
  });

  it("is what the schema says where it is not given", () => {
    expect(read(undefined)).toEqual(schema.default);
    if (schema.default !== undefined) expect(isValid(schema.default)).toBe(true);
  });
});
