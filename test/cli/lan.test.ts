import { Writable } from "node:stream";
import { afterAll, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.ts";
import { askLogLine } from "../../src/cli/output/ask-log.ts";
import { lanAddress } from "../../src/cli/output/lan.ts";
import { connect } from "../../src/client/connect.ts";
import { runHere } from "./in-process.ts";
import { newFolder, removeFolders } from "./servers.ts";

afterAll(removeFolders);

it("takes the private address of a network, and says what to do without one", () => {
  const at = (...addresses: readonly string[]): string => lanAddress({ networkAddresses: () => addresses });
  expect(at("169.254.7.7", "100.64.0.9", "192.168.1.5")).toBe("192.168.1.5");
  expect(at("100.64.0.9")).toBe("100.64.0.9");
  expect(() => at("169.254.7.7")).toThrow("--host");
});

it("serve --lan prints a QR code and what plain HTTP means, and logs asks in short lines", async () => {
  const data = newFolder();
  const stop = new AbortController();
  let printed = "";
  // A slow terminal: it takes the next line when the first ask is stored.
  let ready: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const terminal = new Writable({
    write(chunk, _encoding, done) {
      printed += String(chunk);
      void asked.then(() => done());
    },
  });
  const stdout = Object.assign(terminal, { isTTY: true, columns: 120, rows: 40 });
  const running = runHere(["serve", "--lan", "--port", "0", "--data", data, "--log-format", "text"], {
    signal: stop.signal,
    // An address of this machine alone: a test opens nothing to a network.
    world: { stdout, networkAddresses: () => ["127.0.0.3"] },
  });
  await expect.poll(() => printed).toMatch(/Ask from another terminal/);
  const [, url = ""] = /Server {2}(http:\/\/127\.0\.0\.3:\d+)/.exec(printed) ?? [];
  expect(printed).toContain(`${url}/?code=`);
  const { agent = "", person = "" } = readCredentials(data, url) ?? {};
  const [asker, answerer] = [
    connect({ url, token: agent }),
    connect({ url, token: person, surface: "phone" }),
  ];
  const ask = await asker.post({ questions: [{ question: "A secret?", options: ["Quiet", "Loud"] }] });
  ready?.();
  await answerer.answer(ask.id, { answers: [{ question: "q1", selected: ["Quiet"] }] });
  await expect.poll(() => printed).toMatch(/ {2}answered by ana \(phone\)\n/);
  expect(printed).toMatch(
    new RegExp(`\\d\\d:\\d\\d:\\d\\d {2}${ask.id.slice(-8)} {2}question from local\\n`),
  );
  expect(printed).not.toMatch(/A secret|Quiet/);
  await asker.close();
  await answerer.close();
  // The other commands find it, though they know nothing about the network.
  const listed = await runHere(["list", "--json", "--status", "all", "--data", data]);
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining(ask.id)]);
  stop.abort();
  const { stderr } = await running;
  const lines = stderr.split("\n").filter((line) => line !== "" && !/^askline: (stop|request)/.test(line));
  const code = lines.slice(lines.findLastIndex((line) => !/^[█▀▄ ]+$/.test(line)) + 1);
  // With the line of the cursor, a terminal of 80 by 24 shows it whole.
  expect(code.length).toBeGreaterThan(10);
  expect(code.length).toBeLessThan(24);
  expect(Math.max(...code.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(stderr).toMatch(/[█▀▄]{4}/);
  expect(stderr).toContain("This is plain HTTP");
  expect(stderr).toContain("tailscale serve");
});

it("refuses --lan together with --host", async () => {
  const { code, stderr } = await runHere(["serve", "--lan", "--host", "127.0.0.1"]);
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining("not both")]);
});

it("logs neither drafts nor what was opened", () => {
  expect(askLogLine({ position: 1, at: 0, type: "ask.opened", askId: "ask_1" })).toBeUndefined();
});
