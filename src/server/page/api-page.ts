// The API's document as a page: what there is, who may call it, what goes in and what comes back.

import { isRecord, type JsonObject } from "../../core/index.js";
import { type Line, linesOf, typeOf } from "./api-fields.js";
import { API_STYLE } from "./api-styles.js";
import { type Html, html } from "./html.js";
import type { Page } from "./layout.js";

interface Shown {
  readonly method: string;
  readonly path: string;
  readonly about: JsonObject;
  /** Those of the path and its own. */
  readonly parameters: readonly JsonObject[];
  /** By status; those that are shared, as themselves. */
  readonly responses: readonly (readonly [string, JsonObject])[];
}

export function apiPage(document: JsonObject): Page {
  const operations = operationsOf(document);
  const api = operations.filter(({ about }) => !listOf(about.tags).includes("pages"));
  const pages = operations.filter((operation) => !api.includes(operation));
  const schemas = Object.entries(recordOf(recordOf(document.components).schemas));
  return {
    title: "HTTP API",
    style: API_STYLE,
    body: html`<h1>The HTTP API</h1>
${textOf(recordOf(document.info).description)
  .split("\n\n")
  .map((part) => html`<p>${part}</p>`)}
<p>In a request, <code>null</code> is the same as leaving a field away, and a list may come as its JSON in a text. The same for programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1.</p>
<h2>Routes</h2>${routesTable(api)}
<h2>Pages</h2>${routesTable(pages)}
<h2>In detail</h2>${api.map(operationCard)}
<h2>Shapes</h2>${schemas.map(([name, schema]) => schemaCard(name, recordOf(schema)))}`,
  };
}

function operationsOf(document: JsonObject): readonly Shown[] {
  const shared = recordOf(recordOf(document.components).responses);
  return Object.entries(recordOf(document.paths)).flatMap(([path, item]) => {
    const { parameters, ...methods } = recordOf(item);
    return Object.entries(methods).map(([method, given]) => {
      const about = recordOf(given);
      const all = [...listOf(parameters), ...listOf(about.parameters)].map(recordOf);
      const responses = Object.entries(recordOf(about.responses)).map(([status, response]) => {
        const { $ref } = recordOf(response);
        const name = textOf($ref).slice("#/components/responses/".length);
        return [status, recordOf($ref === undefined ? response : shared[name])] as const;
      });
      return { method: method.toUpperCase(), path, about, parameters: all, responses };
    });
  });
}

function routesTable(operations: readonly Shown[]): Html {
  return html`<table class="routes"><thead><tr><th>Route</th><th>Who</th><th>What</th></tr></thead><tbody>${operations.map(
    ({ method, path, about }) => {
      const name = html`<span class="method">${method}</span> <code>${path}</code>`;
      const isPage = listOf(about.tags).includes("pages");
      return html`<tr><td>${isPage ? name : html`<a href="#${textOf(about.operationId)}">${name}</a>`}</td>
<td class="who">${path.startsWith("/a/") ? "whoever has the link" : whoOf(about)}</td><td>${textOf(about.summary)}</td></tr>`;
    },
  )}</tbody></table>`;
}

function operationCard({ method, path, about, parameters, responses }: Shown): Html {
  const id = textOf(about.operationId);
  return html`<section class="card" id="${id}"><h3><span class="method">${method}</span><a href="#${id}"><code>${path}</code></a></h3>
<p>${textOf(about.summary)}. <span class="soft">For: ${whoOf(about)}.</span></p>
${about.description !== undefined && html`<p>${textOf(about.description)}</p>`}
${parameters.length > 0 && html`<h4>Parameters</h4>${lines(parameters.map(parameterLine))}`}
${bodyView(about)}
${responsesView(responses)}</section>`;
}

function parameterLine(parameter: JsonObject): Line {
  const place = parameter.in === "query" ? "" : ` (${textOf(parameter.in)})`;
  return {
    kind: "field",
    name: `${textOf(parameter.name)}${place}`,
    required: parameter.required === true,
    type: typeOf(recordOf(parameter.schema)),
    says: textOf(parameter.description),
  };
}

function bodyView({ requestBody }: JsonObject): Html | undefined {
  if (requestBody === undefined) return undefined;
  const body = recordOf(requestBody);
  const { schema, example } = recordOf(recordOf(body.content)["application/json"]);
  return html`<h4>Body</h4><p>${typeOf(recordOf(schema))}${body.required !== true && ", or nothing"}</p>${exampleView(example)}`;
}

function responsesView(responses: Shown["responses"]): Html {
  const all = responses.map(([status, response]) => ({ status, ...splitResponse(response) }));
  const good = all.filter(({ status }) => Number(status) < 400);
  const bad = all.filter(({ status }) => Number(status) >= 400);
  // The same example twice tells no more than once.
  const example = good.find((response) => response.example !== undefined)?.example;
  return html`<h4>Responses</h4><ul class="fields">${good.map(
    ({ status, description, type, headers }) =>
      html`<li><span class="name">${status}</span> ${description}${type !== undefined && html` <span class="type">${type}</span>`}
${headers.map(([name, says]) => html`<p><code>${name}</code>: ${says}</p>`)}</li>`,
  )}</ul>${exampleView(example)}
<details class="extra"><summary>Errors</summary><table><thead><tr><th>Status</th><th>Codes</th></tr></thead><tbody>${bad.map(
    ({ status, description }) =>
      html`<tr><td>${status}</td><td class="codes">${description.split(", ").map((code) => html`<code>${code}</code> `)}</td></tr>`,
  )}</tbody></table></details>`;
}

function splitResponse({ description, content, headers }: JsonObject): {
  readonly description: string;
  readonly type?: Html;
  readonly example?: unknown;
  readonly headers: readonly (readonly [string, string])[];
} {
  const [[type, media] = []] = Object.entries(recordOf(content));
  const { schema, example, "x-event": event } = recordOf(media);
  const told = event === undefined ? schema : event;
  return {
    description: textOf(description),
    ...(type !== undefined && {
      type: html`${type === "application/json" ? "" : `${type} `}${(event !== undefined || type === "application/json") && typeOf(recordOf(told))}`,
    }),
    example,
    headers: Object.entries(recordOf(headers)).map(([name, header]) => [
      name,
      textOf(recordOf(header).description),
    ]),
  };
}

function schemaCard(name: string, schema: JsonObject): Html {
  const found = linesOf(schema);
  const { description } = schema;
  return html`<section class="card" id="${name}"><h3><a href="#${name}">${name}</a></h3>
${description !== undefined && html`<p class="soft">${textOf(description)}</p>`}
${found.length > 0 ? lines(found) : html`<p>${typeOf(schema)}</p>`}</section>`;
}

function lines(all: readonly Line[]): Html {
  return html`<ul class="fields">${all.map((line) =>
    line.kind === "where"
      ? html`<li class="where">${line.text}</li>`
      : html`<li>${line.name !== "" && html`<code class="name">${line.name}</code>`}<span class="type">${line.type}</span>${line.required && html`<span class="must">required</span>`}${
          line.says !== undefined && html`<p>${line.says}</p>`
        }</li>`,
  )}</ul>`;
}

function exampleView(example: unknown): Html | undefined {
  return example === undefined
    ? undefined
    : html`<pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>`;
}

function whoOf({ security }: JsonObject): string {
  const ways = listOf(security).map(recordOf);
  if (ways.length === 0) return "anyone";
  const roles = ways.flatMap(({ token }) => listOf(token).map(textOf));
  return [...roles, ...(ways.some(({ link }) => link !== undefined) ? ["link"] : [])].join(", ");
}

function recordOf(value: unknown): JsonObject {
  return isRecord(value) ? (value as JsonObject) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
