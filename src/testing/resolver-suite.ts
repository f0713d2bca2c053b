import { approvalCases } from "./resolver-suite/approvals.js";
import { endingCases } from "./resolver-suite/endings.js";
import type { ResolverCase } from "./resolver-suite/harness.js";
import { lifecycleCases } from "./resolver-suite/lifecycle.js";

/**
 * The contract of a resolver, case by case: whatever lies between an agent and a person, an ask ends as the
 * person meant it.
 *
 * @example
 * console.log(resolverSuite.map(({ name }) => name));
 */
export const resolverSuite: readonly ResolverCase[] = [...endingCases, ...approvalCases, ...lifecycleCases];
