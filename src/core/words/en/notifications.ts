import type { NotificationWords } from "../notifications.js";

export const NOTIFICATIONS: NotificationWords = {
  questionWaits: "A question waits for you",
  questionFrom: (agent) => `Question from ${agent}`,
  moreFrom: (count, agent) => `${count} more ${count === 1 ? "question" : "questions"} from ${agent}`,
  approvalFrom: (agent) => `${agent} needs your approval`,
  anAgent: "an agent",
  moreQuestions: (count) => (count === 1 ? "and 1 more question" : `and ${count} more questions`),
  approve: "Approve",
  reject: "Reject",
  answeredBy: (person) => `Answered by ${person}`,
  answeredByRule: "Answered by a rule",
  declinedBy: (person) => `Declined by ${person}`,
  expired: "Expired before anyone answered",
  withdrawn: "Withdrawn: no answer is needed",
  reminder: "Still waiting",
};
