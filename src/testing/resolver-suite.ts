import { approvalCases } from "./resolver-suite/approvals.js";
import { endingCases } from "./resolver-suite/endings.js";
import type { ResolverCase } from "./resolver-suite/harness.js";
import { lifecycleCases } from "./resolver-suite/lifecycle.js";

/**
 * The contract of a resolver as test cases: whatever is between an agent and a person, the agent gets the outcome that
 * the person meant.
 *
 * @example
 * console.log(resolverSuite.map(({ name }) => name));
 */
export const resolverSuite: readonly ResolverCase[] = [...endingCases, ...approvalCases, ...lifecycleCases];
