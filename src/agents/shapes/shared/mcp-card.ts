// What the card in an MCP host and our MCP server agree on.

/** In the `_meta` of a result: the ask, and the token to answer it with; after that, the outcome. */
export const CARD_META_KEY = "askline/card";
/** For cards, not for models; only clients that show cards see it. */
export const CARD_TOOL = "answer_ask";
export const CARD_SURFACE = "mcp-app";
