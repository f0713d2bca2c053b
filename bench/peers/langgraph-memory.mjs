// LangGraph with its MemorySaver.
import { MemorySaver } from "@langchain/langgraph";
import { runAlone } from "../cycles.mjs";
import { fourQuestions } from "../sample-ask.mjs";
import { langGraphPeer } from "./langgraph.mjs";

export async function openLangGraphMemory(sample = fourQuestions) {
  return langGraphPeer(new MemorySaver(), sample);
}

await runAlone(import.meta.url, "LangGraph, MemorySaver", openLangGraphMemory);
