// LangGraph's way to ask a person: a node calls `interrupt`, the run ends, and a second run with a `Command`
// resumes it. The smallest graph that does so; both savers use it.
import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";

/** A peer that asks `ask` over a checkpointer and resumes with `answers`. Each cycle is a thread of its own, as each ask of ours is one of its own. */
export function langGraphPeer(checkpointer, { ask, answers }, close = () => {}) {
  // A developer's own settings would send every run to a service.
  process.env.LANGSMITH_TRACING = "false";
  process.env.LANGCHAIN_TRACING_V2 = "false";
  const State = Annotation.Root({ answers: Annotation() });
  const graph = new StateGraph(State)
    .addNode("ask", () => ({ answers: interrupt(ask) }))
    .addEdge(START, "ask")
    .addEdge("ask", END)
    .compile({ checkpointer });

  return {
    async cycle(id) {
      const config = { configurable: { thread_id: id } };
      const asked = await graph.invoke({}, config);
      if (asked.__interrupt__?.[0]?.value.questions.length !== ask.questions.length) {
        throw new Error("LangGraph did not stop at the question");
      }
      const resumed = await graph.invoke(new Command({ resume: answers }), config);
      if (resumed.answers?.length !== answers.length) {
        throw new Error("LangGraph did not go on with the answers");
      }
    },
    close: async () => close(),
  };
}
