/** What the ask of this number asks: the same each time, as asking again under a key must be. */
export function contentOf(number) {
  const more = { context: `Number ${number} of the soak.`, metadata: { number } };
  if (number % 10 === 1) {
    return { approval: { actions: [{ name: "deploy", args: { number } }, { name: "tell" }] }, ...more };
  }
  const questions = [
    { question: `Which way for ${number}?`, options: ["Left", "Right", "Straight on"] },
    { question: "What else?", options: ["Lights", "Horn", "Map"], multiSelect: true },
  ];
  // Some wait too short for anyone to answer under load, and end by their deadline.
  if (number % 10 === 2) return { questions, ...more, timeoutMs: 50 + (number % 7) * 300 };
  return { questions, ...more };
}
