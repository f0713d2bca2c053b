// The rows of README's "I use …", each in an empty folder with the packed package, by the lines that README has.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createListener } from "node:net";
import { join, normalize } from "node:path";
import { createInterface } from "node:readline";
import { text as textFrom } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { spawn as openTerminal } from "@lydell/node-pty";
import { afterEach, describe, expect, it } from "vitest";
import { startChromium } from "../support/chromium.ts";
import { codeBlocks } from "./code-blocks.ts";
import { root } from "./repository.ts";

const README = readFileSync(join(root, "README.md"), "utf8");
const QUESTION = {
  question: "Which auth?",
  header: "Auth",
  options: [{ label: "OAuth" }, { label: "API key" }],
};

/** What the real Claude Code sent to its hook when its model asked. */
const RECORDED = JSON.parse(readFileSync(join(root, "test/vectors/claude-hooks.json"), "utf8")).events.find(
  (event: { readonly hook_event_name: string; readonly tool_name?: string }) =>
    event.hook_event_name === "PermissionRequest" && event.tool_name === "AskUserQuestion",
);

/** The lines of code in the second cell of a row. */
function linesOf(row: string): readonly string[] {
  const line = README.split("\n").find((text) => text.startsWith(`| **${row}**`)) ?? "";
  return [...(line.split(" | ")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

function blockOf(language: string): string {
  return codeBlocks(README).find((block) => block.language === language)?.text ?? "none";
}

const running = new Set<ChildProcess>();

export function describeReadmeRows(
  installed: () => { readonly folder: string; readonly project: string },
): void {
  describe("in an empty folder, by the line of README", () => {
    let count = 0;

    afterEach(() => {
      for (const child of running) child.kill("SIGKILL");
      running.clear();
    });

    /** An empty folder and home, with the package installed and a port of its own. */
    async function emptyMachine() {
      count += 1;
      const { folder, project } = installed();
      const home = join(folder, `machine-${count}`);
      const own = join(home, "bin");
      mkdirSync(own, { recursive: true });
      symlinkSync(join(project, "node_modules"), join(home, "node_modules"));
      writeFileSync(join(home, "package.json"), `{ "type": "module" }`);
      const { ASKLINE_URL: _, XDG_DATA_HOME: __, XDG_CONFIG_HOME: ___, ...inherited } = process.env;
      const path = `${own}:${join(project, "node_modules/.bin")}:${process.env.PATH}`;
      const env = {
        ...inherited,
        HOME: home,
        USER: "ana",
        PATH: path,
        ASKLINE_PORT: String(await freePort()),
      };
      const shell = (line: string): string => {
        const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], {
          cwd: home,
          env,
          encoding: "utf8",
        });
        if (status !== 0) throw new Error(`${line}: ${stderr}${stdout}`);
        return stdout;
      };
      const launch = (line: string): ChildProcess => {
        const child = spawn("/bin/sh", ["-c", `exec ${line}`], { cwd: home, env });
        running.add(child);
        return child;
      };
      return {
        home,
        own,
        shell,
        launch,
        /** Runs a line at a terminal, confirms what it would change, and returns what the terminal showed. */
        async confirm(line: string): Promise<string> {
          const terminal = openTerminal("/bin/sh", ["-c", line], { cwd: home, env, cols: 200, rows: 40 });
          let screen = "";
          terminal.onData((data) => {
            if (!screen.includes("[y/N]") && `${screen}${data}`.includes("[y/N]")) terminal.write("y\r");
            screen += data;
          });
          const { exitCode } = await new Promise<{ exitCode: number }>((done) => terminal.onExit(done));
          if (exitCode !== 0) throw new Error(`${line}: ${screen}`);
          return screen;
        },
        /** Answers the only pending ask, once there is one. */
        async answer(pick: string): Promise<void> {
          for (let tries = 0; tries < 40; tries += 1) {
            // The commands block this process, which also has to send what an agent reads.
            await setImmediate();
            const { asks } = JSON.parse(shell("askline list --json || echo '{\"asks\":[]}'"));
            if (asks.length > 0) return void shell(`askline answer ${asks[0].id} --pick "${pick}"`);
          }
          throw new Error("nothing was asked");
        },
      };
    }

    /** Lets an MCP client ask over stdio, and returns the text that its model reads. */
    async function askByMcp(
      machine: Awaited<ReturnType<typeof emptyMachine>>,
      command: string,
    ): Promise<string> {
      const server = machine.launch(command);
      const send = (message: object): void =>
        void server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      const clientInfo = { name: "client", version: "1" };
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
      send({ id: 1, method: "initialize", params });
      send({ method: "notifications/initialized" });
      const call = {
        name: "ask_user_question",
        arguments: { questions: [QUESTION] },
        _meta: { progressToken: 1 },
      };
      send({ id: 2, method: "tools/call", params: call });
      try {
        let answered: Promise<void> | undefined;
        for await (const line of createInterface({ input: server.stdout ?? process.stdin })) {
          const message = JSON.parse(line);
          if (message.method === "notifications/progress") answered ??= machine.answer("API key");
          if (message.id !== 2) continue;
          await answered;
          return message.result.content[0].text;
        }
        throw new Error("askline mcp ended");
      } finally {
        server.stdin?.end();
        machine.shell("askline stop");
      }
    }

    it("Claude Code asks by its hook", async () => {
      const [line = "none"] = linesOf("Claude Code");
      const machine = await emptyMachine();
      // A stand-in for the claude command, which keeps what it is told to add.
      const claude = join(machine.own, "claude");
      writeFileSync(claude, `#!/bin/sh\necho "$@" >> "$HOME/added"\n`);
      chmodSync(claude, 0o755);
      expect(await machine.confirm(line)).toContain("Connected");
      const added = readFileSync(join(machine.home, "added"), "utf8");
      expect(added).toMatch(/^mcp add --scope user askline -- .*askline\.js mcp\n$/);

      const { hooks } = JSON.parse(readFileSync(join(machine.home, ".claude/settings.json"), "utf8"));
      const hook = machine.launch(hooks.PermissionRequest[0].hooks[0].command);
      hook.stdin?.end(JSON.stringify(RECORDED));
      const printed = textFrom(hook.stdout ?? process.stdin);
      try {
        await machine.answer("API key");
        expect(JSON.parse(await printed)).toEqual({
          hookSpecificOutput: {
            hookEventName: "PermissionRequest",
            decision: {
              behavior: "allow",
              updatedInput: { ...RECORDED.tool_input, answers: { "Which auth?": "API key" } },
            },
          },
        });
      } finally {
        machine.shell("askline stop");
      }
    });

    it("another MCP client asks", async () => {
      const [line = "{}"] = linesOf("MCP, or another coding agent");
      const { command, args } = JSON.parse(line).mcpServers.askline;
      expect(await askByMcp(await emptyMachine(), [command, ...args].join(" "))).toContain("API key");
    });

    it("a program asks with its own tool", async () => {
      const [serve = "none"] = linesOf("my own agent");
      const machine = await emptyMachine();
      await once(machine.launch(serve).stdout ?? process.stdin, "data");
      writeFileSync(join(machine.home, "agent.mjs"), blockOf("ts"));
      const agent = machine.launch(`"${process.execPath}" agent.mjs`);
      const printed = textFrom(agent.stdout ?? process.stdin);
      await machine.answer("OAuth");
      expect(await printed).toBe("Which auth?\nOAuth\n");
    });

    it("a page of a web app asks", async () => {
      const markup = linesOf("a web app").join("\n");
      const { home } = await emptyMachine();
      const site = createServer(({ url = "/" }, response) => {
        const { pathname } = new URL(url, "http://site");
        if (pathname === "/") return response.setHeader("content-type", "text/html").end(markup);
        try {
          const file = readFileSync(join(home, normalize(pathname)));
          return response.setHeader("content-type", "text/javascript").end(file);
        } catch {
          return response.writeHead(404).end();
        }
      });
      await new Promise<void>((done) => {
        site.listen(0, "127.0.0.1", done);
      });
      const chromium = await startChromium();
      try {
        const page = await chromium.newPage();
        await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
        const answered = page.evaluate(`new Promise((done) => {
          const card = document.querySelector("askline-card");
          card.addEventListener("answer", (event) => done(event.detail.answers));
          card.ask = { questions: [${JSON.stringify(QUESTION)}] };
        })`);
        await page.getByText("API key").waitFor();
        await page.keyboard.press("Tab");
        await page.getByRole("radio", { name: "API key" }).press("Space");
        await page.getByRole("button", { name: "Send" }).press("Enter");
        expect(await answered).toMatchObject([{ question: "q1", selected: ["o2"] }]);
      } finally {
        await chromium.close();
        site.close();
      }
    });

    it("a team server takes an agent's ask and signs a person in", async () => {
      const [serve = "none", link = "none"] = linesOf("a team server");
      const machine = await emptyMachine();
      const server = machine.launch(`${serve} --json`);
      const [banner] = (await once(server.stdout ?? process.stdin, "data")) as [Buffer];
      expect(JSON.parse(banner.toString()).url).toBe("https://ask.example.com");
      const opened = machine.shell(link).trim();
      expect(opened).toMatch(/^https:\/\/ask\.example\.com\/\?code=/);
      const local = JSON.parse(
        readFileSync(join(machine.home, ".local/share/askline/server.json"), "utf8"),
      ).url;
      const page = await fetch(opened.replace("https://ask.example.com", local));
      expect([page.status, (await page.text()).includes('<form method="post"')]).toEqual([200, true]);
      const token = machine.shell("askline token create --role agent --name builder").trim();
      const response = await fetch(`${local}/v1/asks`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ questions: [QUESTION] }),
      });
      expect(response.status).toBe(201);
    });

    it("the first commands install the package and let the demo ask", async () => {
      const [install = "", demo = "none"] = blockOf("sh").split("\n");
      expect(install).toMatch(/^npm install -g askline\b/);
      const machine = await emptyMachine();
      const child = machine.launch(demo);
      let text = "";
      child.stdout?.on("data", (chunk) => {
        text += String(chunk);
      });
      try {
        await machine.answer("PostgreSQL");
        while (!text.includes("(2 of 5)")) await once(child.stdout ?? process.stdin, "data");
        expect(text).toContain("I would add PostgreSQL to the service.");
      } finally {
        child.kill("SIGINT");
        await once(child, "close");
        machine.shell("askline stop");
      }
    });
  });
}

async function freePort(): Promise<number> {
  const listener = createListener();
  await new Promise<void>((done) => {
    listener.listen(0, "127.0.0.1", done);
  });
  const { port } = listener.address() as AddressInfo;
  await new Promise((done) => {
    listener.close(done);
  });
  return port;
}
