/** As much of a WebSocket as is used: a browser's, Node's own, or that of `ws`. */
export interface GatewaySocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "close", listener: () => void): void;
  addEventListener(type: "error", listener: (event?: unknown) => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

export type GatewaySocketConstructor = new (url: string, protocols?: string[]) => GatewaySocket;

/** The one that this runtime has, if it has one: Node 20 has none. */
export function ownWebSocket(): GatewaySocketConstructor | undefined {
  return (globalThis as { readonly WebSocket?: GatewaySocketConstructor }).WebSocket;
}
