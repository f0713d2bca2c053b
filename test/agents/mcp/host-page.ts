// In the browser: a host as MCP Apps expect it, made of the official AppBridge. The test drives it by `window.host`.

import {
  AppBridge,
  type McpUiHostContext,
  PostMessageTransport,
} from "@modelcontextprotocol/ext-apps/app-bridge";

interface HostWindow {
  callTool(params: object): Promise<never>;
  host: {
    show(
      html: string,
      result: object,
      options: { capabilities: object; context: McpUiHostContext },
    ): Promise<void>;
    change(context: McpUiHostContext): void;
    close(): Promise<object>;
    readonly told: [string, unknown][];
  };
}

const page = window as unknown as HostWindow;
let bridge: AppBridge | undefined;
const told: [string, unknown][] = [];

page.host = {
  told,
  async show(html, result, { capabilities, context }) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.style.cssText = "width: 100%; border: 0";
    document.body.replaceChildren(frame);
    const own = new AppBridge(null, { name: "host", version: "1" }, capabilities, { hostContext: context });
    bridge = own;
    own.oncalltool = (params) => page.callTool(params);
    own.onmessage = async (params) => {
      told.push(["message", params]);
      return {};
    };
    own.onupdatemodelcontext = async (params) => {
      told.push(["context", params]);
      return {};
    };
    own.addEventListener("sizechange", ({ height }) => {
      if (height !== undefined) frame.style.height = `${height}px`;
    });
    const initialized = new Promise<void>((done) => {
      own.addEventListener("initialized", () => done());
    });
    const window_ = frame.contentWindow as Window;
    await own.connect(new PostMessageTransport(window_, window_));
    frame.srcdoc = html;
    await initialized;
    await own.sendToolInput({ arguments: {} });
    await own.sendToolResult(result as never);
  },
  change: (context) => bridge?.setHostContext(context),
  close: () => bridge?.teardownResource({}) as Promise<object>,
};
