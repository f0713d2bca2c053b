// Whether a stored ask is one, and its outcome one that this ask can have. Written from the docs, not from the
// parsers: they are what is checked.

/** What is wrong with a row of asks; an empty list where nothing is. */
export function problemsOf(row) {
  const problems = [];
  const content = parse(row.content);
  const outcome = row.outcome === null ? undefined : parse(row.outcome);
  if (content === undefined) return ["its content is no JSON"];
  if (content.id !== row.id) problems.push("its content has another id");
  if (content.session !== row.session || (content.key ?? null) !== row.key) {
    problems.push("its content has another session or key");
  }
  const actions = content.approval?.actions ?? [];
  const { questions = [] } = content;
  if (questions.length > 0 === actions.length > 0) problems.push("it is neither questions nor an approval");
  if (!unique(questions.map(({ id }) => id))) problems.push("two questions have one id");
  if ((row.status === "pending") !== (row.outcome === null))
    problems.push(`${row.status}, outcome ${row.outcome}`);
  if ((row.settled_at === null) !== (row.outcome === null))
    problems.push("settled without a time, or the reverse");
  if (row.outcome === null) return problems;
  if (outcome === undefined) return [...problems, "its outcome is no JSON"];
  if (outcome.kind !== row.status) problems.push(`${row.status}, but its outcome is ${outcome.kind}`);
  return [...problems, ...problemsOfOutcome(outcome, questions, actions, content, row)];
}

function problemsOfOutcome(outcome, questions, actions, content, row) {
  switch (outcome.kind) {
    case "answered":
      return [...byProblems(outcome), ...answerProblems(outcome.answers, questions, content.allowPartial)];
    case "decided":
      return [...byProblems(outcome), ...decisionProblems(outcome.decisions, actions)];
    case "declined":
      return byProblems(outcome);
    case "replied":
      return isText(outcome.text) ? byProblems(outcome) : ["a reply without a text"];
    case "expired":
      return row.deadline === null ? ["it expired without a deadline"] : [];
    case "withdrawn":
    case "unavailable":
      return [];
    default:
      return [`nothing ends as ${outcome.kind}`];
  }
}

function answerProblems(answers, questions, allowPartial) {
  if (!Array.isArray(answers) || answers.length !== questions.length)
    return ["not one answer for each question"];
  return answers.flatMap(({ question, selected, text, skipped }, index) => {
    const asked = questions[index];
    if (asked.id !== question) return [`answer ${index} is for ${question}, not for ${asked.id}`];
    const known = new Set(asked.options.map(({ id }) => id));
    if (!selected.every((id) => known.has(id)) || !unique(selected))
      return [`${question} has options of others`];
    if (selected.length > 1 && !asked.multiSelect)
      return [`${question} has two options where one may be chosen`];
    if (skipped) return allowPartial ? [] : [`${question} was skipped`];
    return selected.length === 0 && !isText(text) ? [`${question} is blank`] : [];
  });
}

function decisionProblems(decisions, actions) {
  if (!Array.isArray(decisions) || decisions.length !== actions.length)
    return ["not one decision for each action"];
  return decisions.flatMap(({ action, kind }, index) =>
    actions[index].id === action && ["approve", "edit", "reject"].includes(kind)
      ? []
      : [`${action} is ${kind}`],
  );
}

function byProblems({ by }) {
  const known = by?.kind === "person" ? isText(by.id) && isText(by.surface) : by?.kind === "policy";
  return known ? [] : ["nobody has ended it"];
}

function isText(value) {
  return typeof value === "string" && value.trim() !== "";
}

function unique(values) {
  return new Set(values).size === values.length;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
