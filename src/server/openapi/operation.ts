// How a route describes one of its methods. The OpenAPI document is made from these alone.

import type { JsonObject } from "../../core/kit/json.js";
import type { ErrorCode } from "../../core/model/error.js";
import type { Role } from "../../core/model/visibility.js";
import type { Parameter } from "../http/parameter.js";
import type { SchemaName } from "./schemas.js";

export interface Access {
  /** The roles that may call this; an admin may too, unless `admin` is false. */
  readonly roles: readonly Role[];
  readonly admin?: false;
  /** Whether a signed link is enough; the route then uses that one ask only. */
  readonly links?: true;
  /** Whether a credential for some sessions only is enough; the route then stays within these sessions. */
  readonly sessions?: true;
  /** Whether a ticket in the query is enough, for pages that can send no header. */
  readonly tickets?: true;
}

/** The response for one status. Without a schema and a type, it has no body. */
export interface ResponseDescription {
  readonly description: string;
  readonly schema?: SchemaName;
  /** `application/json` by default, with a schema. */
  readonly type?: string;
  /** For a stream: the data of each event. */
  readonly items?: SchemaName;
  /** For a stream: the data of events without a position, by event name. */
  readonly hints?: Readonly<Record<string, SchemaName>>;
  /** The response may also be a stream with these events. */
  readonly streams?: SchemaName;
  /** Headers by name, with a description. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Operation {
  /** The operation id: its name in generated clients. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Who may call it; anyone if omitted. */
  readonly access?: Access;
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly schema: SchemaName; readonly optional?: true } | { readonly form: JsonObject };
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Its own errors, in addition to those of every operation of its kind. */
  readonly errors?: readonly ErrorCode[];
}
