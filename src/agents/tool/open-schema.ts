// Standard Schema (https://standardschema.dev), by which frameworks describe the input of a tool.

/** A Standard Schema that also gives its JSON Schema; it lets everything through. */
export interface OpenSchema<Output, Input = Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "askline";
    readonly validate: (value: unknown) => { readonly value: Output };
    readonly jsonSchema: {
      readonly input: (options: unknown) => Record<string, unknown>;
      readonly output: (options: unknown) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Input; readonly output: Output };
  };
}

export function openSchema<Output, Input = Output>(
  schema: () => Record<string, unknown>,
): OpenSchema<Output, Input> {
  // A new object each time: frameworks change the schemas that they get.
  const json = (): Record<string, unknown> => structuredClone(schema());
  return {
    "~standard": {
      version: 1,
      vendor: "askline",
      validate: (value) => ({ value: value as Output }),
      jsonSchema: { input: json, output: json },
    },
  };
}

/** The part of any Standard Schema that checks a value. */
interface Checking {
  readonly "~standard"?: { validate(value: unknown): Checked | PromiseLike<Checked> };
}

interface Checked {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string }[];
}

/** Arguments that a person edited, checked by the tool's own schema; unchecked if that is not a Standard Schema. */
export async function checkEdited(schema: unknown, args: unknown): Promise<unknown> {
  const standard = (schema as Checking | null | undefined)?.["~standard"];
  if (standard === undefined) return args;
  const { issues, value } = await standard.validate(args);
  if (issues === undefined) return value;
  throw misfit(issues.map(({ message }) => message).join("; "));
}

/** The error for arguments that a person edited so that the tool cannot take them. */
export function misfit(why: string): Error {
  return new Error(
    `The person approved other arguments, but they do not fit the tool, so it did not run: ${why}`,
  );
}
