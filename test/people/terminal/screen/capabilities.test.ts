import { describe, expect, it } from "vitest";
import { detectCapabilities, type Environment } from "../../../../src/people/terminal/screen/capabilities.ts";

const detect = (environment: Environment, isTTY = true, platform = "linux") =>
  detectCapabilities(environment, { isTTY, platform });

describe("detectCapabilities", () => {
  it("finds everything in a modern terminal", () => {
    expect(detect({ TERM: "xterm-kitty", COLORTERM: "truecolor", LANG: "en_US.UTF-8" })).toEqual({
      cursor: true,
      colors: 16_777_216,
      unicode: true,
      hyperlinks: true,
      bracketedPaste: true,
      keyboard: "kitty",
      reflow: "exact",
    });
  });

  it.each([
    ["a dumb terminal", { TERM: "dumb", COLORTERM: "truecolor" }, true],
    ["a pipe", { TERM: "xterm-256color" }, false],
    ["nothing known", {}, true],
  ])("finds nothing in %s", (_name, environment, isTTY) => {
    expect(detect(environment, isTTY)).toMatchObject({
      cursor: false,
      colors: 0,
      hyperlinks: false,
      bracketedPaste: false,
      keyboard: "plain",
    });
  });

  it.each([
    [{ TERM: "xterm" }, 16],
    [{ TERM: "xterm-256color" }, 256],
    [{ TERM: "xterm", COLORTERM: "24bit" }, 16_777_216],
    [{ TERM: "xterm-256color", NO_COLOR: "1" }, 0],
    [{ TERM: "xterm-256color", NO_COLOR: "" }, 256],
    [{ TERM: "vt100" }, 0],
  ])("counts the colours of %j", (environment, colors) => {
    expect(detect(environment).colors).toBe(colors);
  });

  it.each([
    [{ TERM: "xterm", LANG: "C" }, false],
    [{ TERM: "xterm", LANG: "vi_VN.utf8" }, true],
    [{ TERM: "xterm", LANG: "de_DE.UTF-8", LC_ALL: "C" }, false],
    [{ TERM: "xterm", LANG: "C", LC_ALL: "", LC_CTYPE: "C.UTF-8" }, true],
    [{ TERM: "linux", LANG: "en_US.UTF-8" }, false],
  ])("decides on Unicode by %j", (environment, unicode) => {
    expect(detect(environment).unicode).toBe(unicode);
  });

  it.each([
    [{ TERM: "xterm-256color", VTE_VERSION: "7200" }, true],
    [{ TERM: "xterm-256color", VTE_VERSION: "4800" }, false],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, true],
    [{ TERM: "xterm-256color" }, false],
    [{ TERM: "tmux-256color", TMUX: "/tmp/tmux", VTE_VERSION: "7200" }, false],
  ])("decides on links by %j", (environment, hyperlinks) => {
    expect(detect(environment).hyperlinks).toBe(hyperlinks);
  });

  it.each([
    [{ TERM: "xterm-256color" }, "exact"],
    [{ TERM: "xterm-256color", XTERM_VERSION: "XTerm(390)" }, "none"],
    [{ TERM: "screen", STY: "1" }, "none"],
    [{ TERM: "screen-256color", TMUX: "x" }, "exact"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, "shifted"],
  ])("knows whether lines wrap anew in %j", (environment, reflow) => {
    expect(detect(environment).reflow).toBe(reflow);
  });

  it("knows Windows Terminal and the old console", () => {
    expect(detect({ WT_SESSION: "x" }, true, "win32")).toMatchObject({
      colors: 16_777_216,
      unicode: true,
      hyperlinks: true,
    });
    expect(detect({}, true, "win32")).toMatchObject({ cursor: true, colors: 256, unicode: false });
  });
});
