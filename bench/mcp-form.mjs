// The sample asks as MCP can ask them: a flat form with a property a question, and a person who fills it in.

/** `{ message, requestedSchema }` of an elicitation. */
export function formOf({ ask }) {
  const properties = ask.questions.map(({ question, header, multiSelect, options }, index) => {
    const choices = options.map(({ label }, option) => ({ const: `o${option + 1}`, title: label }));
    // MCP has no place for what an option means but the text of its question.
    const meanings = options.map(({ label, description }) => `${label}: ${description}`);
    const common = { title: header, description: [question, ...meanings].join("\n") };
    const property = multiSelect
      ? { type: "array", ...common, items: { anyOf: choices } }
      : { type: "string", ...common, oneOf: choices };
    return [`q${index + 1}`, property];
  });
  return {
    message: ask.questions.map(({ question }) => question).join("\n"),
    requestedSchema: { type: "object", properties: Object.fromEntries(properties) },
  };
}

/** What the person accepts the form with: the chosen options, and the first where the sample has text. */
export function contentOf({ ask, answers }) {
  return Object.fromEntries(
    answers.map(({ question, selected }, index) => [
      question,
      ask.questions[index].multiSelect ? selected : (selected[0] ?? "o1"),
    ]),
  );
}
