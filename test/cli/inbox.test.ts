import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { until } from "../server/open-server.ts";
import { runHere } from "./in-process.ts";
import { ASKLINE, endProcesses, openTerminal, run, type TerminalSession, takesKeys } from "./processes.ts";
import { newFolder, post, removeFolders, type ServeProcess, serve } from "./servers.ts";

let server: ServeProcess;
beforeAll(async () => {
  server = await serve(newFolder(), { args: ["--person", "ana"] });
});
afterAll(() => {
  endProcesses();
  removeFolders();
});

/** `askline inbox` in a real terminal, with the settings of the terminal before and after. */
async function inbox(
  { env }: Pick<ServeProcess, "env"> = server,
  flags = "",
): Promise<TerminalSession & { readonly isSane: () => boolean }> {
  const { ASKLINE_URL, ASKLINE_DATA } = env;
  const terminal = openTerminal(
    `before=$(stty -a); LANG=C.UTF-8 TERM=xterm-256color ASKLINE_URL=${ASKLINE_URL} ASKLINE_DATA=${ASKLINE_DATA} "$NODE" "$ASKLINE" inbox ${flags}; echo "code $?"; test "$before" = "$(stty -a)" && echo sane`,
    120,
  );
  await terminal.shows("Inbox");
  return { ...terminal, isSane: () => terminal.text().includes("\nsane\n") };
}

const curl = (path: string, body: unknown, { url, data }: ServeProcess = server): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${readCredentials(data, url)?.person}`,
      "content-type": "application/json",
      "askline-surface": "curl",
    },
    body: JSON.stringify(body),
  });

const draftOf = async (id: string): Promise<string> => {
  const authorization = `Bearer ${readCredentials(server.data, server.url)?.person}`;
  return (await fetch(`${server.url}/v1/asks/${id}/draft`, { headers: { authorization } })).text();
};

/** What was shown, without its styles. */
const bare = (terminal: TerminalSession | undefined): string =>
  terminal?.text().replace(/\u001b\[[\d;?]*[a-zA-Z]/g, "") ?? "";

/** Opens the first ask of the list; resolves when its form takes keys. */
async function openFirst(terminal: TerminalSession, question: string): Promise<void> {
  await takesKeys(terminal, question, 1);
  terminal.type("\r");
  await takesKeys(terminal, question, 2);
}

describe("askline inbox", () => {
  it("rings and sets the title for a new ask, shows a draft begun elsewhere, answers, and leaves a sane terminal", async () => {
    const [one, two] = [await inbox(), await inbox()];
    await one.shows("No questions are waiting");
    await two.shows("No questions are waiting");
    const { id } = await post(server, {
      questions: [{ question: "Which auth?", options: ["OAuth", "Key"] }],
    });
    for (const terminal of [one, two]) {
      await terminal.shows("\u001b]2;(1) Askline\u0007");
      await until(
        () =>
          terminal
            .text()
            .replace(/\u001b\]2;[^\u0007]*\u0007/g, "")
            .includes("\u0007") || undefined,
      );
    }
    await openFirst(one, "Which auth?");
    await openFirst(two, "Which auth?");
    one.type("nonly for staff");
    await two.shows("only for staff");
    two.type("2\r");
    for (const terminal of [one, two]) {
      await terminal.shows("Answered by ana (terminal).");
      terminal.type("\u0003");
      await terminal.ended;
      expect(terminal.text()).toContain("code 130\n");
      expect(terminal.isSane()).toBe(true);
      expect(terminal.text()).toContain("\u001b[?2004l");
    }
    const { stdout } = await server.run(["show", id, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: {
        kind: "answered",
        answers: [{ selected: ["o2"], note: "only for staff" }],
        by: { id: "ana", surface: "terminal" },
      },
    });
  });

  it("mutes an agent by a key, and declines all that it asks by a key and a yes", async () => {
    const own = await serve(newFolder(), { args: ["--person", "ana"] });
    const ids: string[] = [];
    for (let count = 0; count < 25; count += 1)
      ids.push((await post(own, { questions: [{ question: `Step ${count}?` }] })).id);
    const agent = (JSON.parse((await own.run(["show", ids[0] ?? "", "--json"])).stdout) as { asker: string })
      .asker;
    const terminal = await inbox(own);
    await takesKeys(terminal, "Step 0?", 1);
    terminal.type("m");
    await terminal.shows(`25 questions of ${agent}, muted`);
    expect((await own.run(["notifications"])).stdout).toContain(`muted agents  ${agent}\n`);
    terminal.type("m");
    await terminal.shows(`${agent} is no longer muted.`);
    terminal.type("D");
    await terminal.shows(`Decline 25 questions of ${agent}?`);
    await own.run(["withdraw", ids[3] ?? ""]);
    terminal.type("y");
    await terminal.shows(`Declined 24 of 25 questions of ${agent}`);
    await terminal.shows("No questions are waiting");
    terminal.type("q");
    await terminal.ended;
    expect(terminal.isSane()).toBe(true);
    expect(JSON.parse((await own.run(["show", ids[4] ?? "", "--json"])).stdout)).toMatchObject({
      outcome: { kind: "declined", by: { id: "ana", surface: "terminal" } },
    });
  });

  it("two inboxes and one curl on the same ask: one wins, and both inboxes show who", async () => {
    const { id } = await post(server, { questions: [{ question: "Who wins?", options: ["A", "B", "C"] }] });
    const terminals = [await inbox(), await inbox()];
    for (const terminal of terminals) await openFirst(terminal, "Who wins?");
    const [one, two] = terminals;
    one?.type("1");
    two?.type("2");
    await until(() =>
      [one, two].every((terminal, index) => bare(terminal).includes(["● A", "● B"][index] ?? "")),
    );
    one?.type("\r");
    two?.type("\r");
    const response = await curl(`/v1/asks/${id}/answer`, { answers: [{ question: "q1", selected: ["o3"] }] });
    const { stdout } = await server.run(["show", id, "--json"]);
    const { outcome } = JSON.parse(stdout) as { outcome: { by: { surface: string } } };
    expect([200, 409]).toContain(response.status);
    expect(outcome.by.surface).toBe(response.status === 200 ? "curl" : "terminal");
    for (const terminal of terminals) {
      await terminal.shows(`Answered by ana (${outcome.by.surface}). Who wins?`);
      await takesKeys(terminal, "Who wins?", 3);
      terminal.type("q");
      await terminal.ended;
      expect(terminal.text()).toContain("code 0\n");
      expect(terminal.isSane()).toBe(true);
    }
  });

  it("keeps what is typed while the server is away, and saves it when it is back", async () => {
    const own = await serve(newFolder(), { args: ["--person", "ana"] });
    const { id } = await post(own, { questions: [{ question: "Why?" }] });
    const terminal = await inbox(own);
    await openFirst(terminal, "Why?");
    own.running.child.kill("SIGKILL");
    await own.running.ended;
    terminal.type("because");
    await terminal.shows("The server cannot be reached. Your text is kept here and saved later.");
    const back = await serve(own.data, { port: new URL(own.url).port, args: ["--person", "ana"] });
    terminal.type(" of this");
    terminal.type("\r");
    await terminal.shows("Answered by ana (terminal). Why?");
    terminal.type("\u0003");
    await terminal.ended;
    const { stdout } = await back.run(["show", id, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: { answers: [{ text: "because of this" }] } });
  });

  it("keeps what is typed as a draft when the terminal's window is closed", async () => {
    const { id } = await post(server, { questions: [{ question: "Closed?" }] });
    const terminal = await inbox();
    await openFirst(terminal, "Closed?");
    terminal.type("half of it");
    await terminal.shows("half of it");
    terminal.hangUp();
    await until(async () => (await draftOf(id)).includes("half of it"));
    await server.run(["decline", id]);
  });

  it("is there again after Ctrl-Z, with what was typed, and follows a resize to 10x3 and back", async () => {
    const { id } = await post(server, { questions: [{ question: "Stopped?" }] });
    const { ASKLINE_URL, ASKLINE_DATA } = server.env;
    const terminal = openTerminal(
      `set -m; LANG=C.UTF-8 TERM=xterm-256color ASKLINE_URL=${ASKLINE_URL} ASKLINE_DATA=${ASKLINE_DATA} "$NODE" "$ASKLINE" inbox; echo "stopped once"; fg; echo "code $?"`,
      120,
    );
    await takesKeys(terminal, "Stopped?", 1);
    terminal.type("\u001a");
    await terminal.shows("stopped once");
    await takesKeys(terminal, "Stopped?", 2);
    terminal.resize(10, 3);
    await until(() => bare(terminal).includes("❯ Stopped") || undefined);
    terminal.resize(300, 50);
    await takesKeys(terminal, "http://127.0.0.1", 2);
    terminal.type("q");
    await terminal.ended;
    expect(terminal.text()).toContain("code 0\n");
    await server.run(["decline", id]);
  });

  it("works line by line, also when an ask comes in at the prompt", async () => {
    const terminal = await inbox(server, "--plain");
    await terminal.shows("A number to open a question (? for help): ");
    await post(server, { questions: [{ question: "Plainly?", options: ["Yes", "No"] }] });
    await terminal.shows("New: Plainly?");
    terminal.type("list\r");
    await terminal.shows("1. Plainly?");
    terminal.type("1\r");
    await terminal.shows("Your choice (? for help): ");
    terminal.type("yes\r");
    await terminal.shows("Answered by ana (terminal). Plainly?");
    terminal.type("quit\r");
    await terminal.ended;
    expect(terminal.text()).toContain("code 0\n");
    expect(terminal.text()).not.toContain("\u001b[?25l");
  });

  it("names askline link without a terminal, and says when no server answers", async () => {
    const piped = await run(ASKLINE, ["inbox"], { env: server.env, input: "" });
    expect(piped).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining('"askline link"') });
    const terminal = openTerminal(
      `ASKLINE_URL=http://127.0.0.1:9 ASKLINE_TOKEN=askline_x "$NODE" "$ASKLINE" inbox; echo "code $?"`,
      120,
    );
    await terminal.ended;
    expect(terminal.text()).toMatch(/askline: cannot reach http:\/\/127\.0\.0\.1:9[^\n]*\ncode 1\n/);
    expect((await runHere(["inbox", "--help"])).stdout).toContain("askline link");
  });
});
