// The pictures of docs/embed.md: the card alone, in a page without a server.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { root } from "../run.mjs";

const LAYOUT = {
  agentId: "builder",
  questions: [
    {
      question: "Which layout should the settings page use?",
      header: "Layout",
      options: [
        {
          label: "Tabs (Recommended)",
          description: "Sections side by side; one is shown at a time",
          preview:
            "| General | Members | Billing |\n|---|---|---|\n| Name, language | Roles | Invoices |\n\nKeeps every section **one click** away.",
        },
        { label: "One long page", description: "Everything below each other, with a list of contents" },
      ],
    },
  ],
};

const CHANGE = {
  agentId: "builder",
  context: "The health check runs before the database is ready.",
  approval: {
    actions: [
      {
        name: "edit_file",
        description: "Waits for the database before the check",
        args: {
          path: "src/health.ts",
          old_string: "await listen(port);\nawait checkHealth();",
          new_string:
            "await listen(port);\nawait database.ready();\nawait checkHealth({ timeoutMs: 5_000 });",
        },
      },
    ],
  },
};

const RELEASE = {
  agentId: "release-bot",
  allowPartial: true,
  questions: [
    {
      question: "Which platforms get the release?",
      header: "Platforms",
      multiSelect: true,
      options: [
        { label: "Linux", description: "x64 and arm64", recommended: true },
        { label: "macOS", description: "Signed, arm64 only" },
        { label: "Windows", description: "The installer is not signed yet" },
      ],
    },
    { question: "When?", header: "Time", options: ["Now", "Tonight"] },
  ],
};

/** Each picture: what is shown, and how. */
const CARDS = {
  "card-light": { ask: LAYOUT, width: 860, pick: "Tabs" },
  "card-dark": { ask: CHANGE, width: 720, colorScheme: "dark" },
  "card-phone": { ask: RELEASE, width: 360, pick: "Linux" },
};

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<style>html{color-scheme:light dark;background:light-dark(#eef0f3,#0e0f11)}body{margin:0;padding:16px}</style>
<script type="module" src="/index.js"></script><body></body></html>`;

export const cardPictures = Object.entries(CARDS).map(([name, scene]) => ({
  name,
  take: (browser, shoot) => takeCard(browser, shoot, scene),
}));

async function takeCard(browser, shoot, { ask, width, pick, colorScheme = "light" }) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://card").pathname);
    response.setHeader("content-type", path === "/" ? "text/html" : "text/javascript");
    response.end(path === "/" ? PAGE : readFileSync(join(root, "dist/people/web", path)));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.evaluate((given) => {
      document.body.append(Object.assign(document.createElement("askline-card"), { ask: given }));
    }, ask);
    await page.getByRole("heading").first().waitFor();
    // It takes no click in its first 300 ms, and loads its further parts meanwhile.
    await page.waitForTimeout(1_000);
    if (pick !== undefined) await page.getByText(pick).first().click();
    await page.mouse.move(0, 0);
    await page.waitForTimeout(300);
    return { text: await page.ariaSnapshot(), png: shoot && (await page.screenshot({ fullPage: true })) };
  } finally {
    await context.close();
    server.closeAllConnections();
    server.close();
  }
}
