// The asks that everybody here is measured with, and what a person answers: four questions as a coding agent
// puts them, about 2 KB, and the first of them alone. What checks an ask pays by its size; what only carries
// it hardly does, so a comparison says which of the two it took.

const ask = {
  questions: [
    {
      question: "Which authentication should the public API use?",
      header: "Auth",
      multiSelect: false,
      options: [
        { label: "OAuth 2.1 (Recommended)", description: "Authorization code with PKCE; clients exist." },
        { label: "API keys", description: "Simple to issue; rotation and scopes are left to us." },
        { label: "Session cookies", description: "Fits the web application, not other programs." },
        { label: "Mutual TLS", description: "Strong between services; hard on developers." },
      ],
    },
    {
      question: "Where should the sessions be kept?",
      header: "Sessions",
      multiSelect: false,
      options: [
        { label: "PostgreSQL (Recommended)", description: "Already in production; one more table." },
        { label: "Redis", description: "Faster, and one more service to run and to back up." },
        { label: "Signed cookies", description: "Nothing to store; nothing to revoke either." },
      ],
    },
    {
      question: "Which of these endpoints may be used without signing in?",
      header: "Public",
      multiSelect: true,
      options: [
        { label: "GET /health", description: "Whether the service runs." },
        { label: "GET /docs", description: "The reference of the API." },
        { label: "GET /products", description: "The catalogue, without prices." },
        { label: "POST /contact", description: "The form; would need a limit on its rate." },
      ],
    },
    {
      question: "How should the old tokens be retired?",
      header: "Migration",
      multiSelect: false,
      options: [
        { label: "All at once", description: "One release; everybody signs in again." },
        { label: "Over 30 days", description: "Both kinds work meanwhile; two code paths to keep." },
      ],
    },
  ],
};

const answers = [
  { question: "q1", selected: ["o1"] },
  { question: "q2", selected: [], text: "SQLite for now, PostgreSQL when there is a second node" },
  { question: "q3", selected: ["o1", "o2"], note: "products only after the prices are out of the feed" },
  { question: "q4", selected: ["o2"] },
];

export const fourQuestions = { ask, answers };
export const oneQuestion = { ask: { questions: ask.questions.slice(0, 1) }, answers: answers.slice(0, 1) };

/** By name, for a process that is started with one. */
export const samples = { fourQuestions, oneQuestion };

/** For a server in another process. */
export function sampleName(sample) {
  return Object.keys(samples).find((name) => samples[name] === sample);
}
