import { type Ask, type Decision, displayLine, type Outcome } from "../../core/index.js";
import { outcomeSummary } from "../screen/ask-summary.js";

/** What was chosen, as the demo says it. */
export function chosenText(ask: Ask, outcome: Outcome): string {
  if (outcome.kind !== "decided") return outcomeSummary({ ...ask, outcome });
  return outcome.decisions.map((decision) => decidedText(ask, decision)).join("; ");
}

function decidedText({ approval }: Ask, decision: Decision): string {
  const action = approval?.actions.find(({ id }) => id === decision.action);
  const name = displayLine(action?.name ?? decision.action);
  switch (decision.kind) {
    case "approve":
      return `I would now run ${name}`;
    case "edit":
      return `I would now run ${name} with ${displayLine(JSON.stringify(decision.args))}`;
    case "reject":
      return `I would not run ${name}${decision.message === undefined ? "" : ` ("${displayLine(decision.message)}")`}`;
  }
}
