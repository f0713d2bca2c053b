// What a route says of one of its methods. The API's document is made of these, and of nothing else.

import type { ErrorCode, JsonObject } from "../../core/index.js";
import type { Role } from "../../core/model/visibility.js";
import type { Parameter } from "../http/parameter.js";
import type { SchemaName } from "./schema-name.js";

export interface Access {
  /** Who may call this; an admin may too, unless it says otherwise. */
  readonly roles: readonly Role[];
  readonly admin?: false;
  /** Whether a signed link is enough; the route then looks at one ask only. */
  readonly links?: true;
}

/** What comes back for one status. Without a schema and a type it has no body. */
export interface Told {
  readonly description: string;
  readonly schema?: SchemaName;
  /** `application/json` where there is a schema and nothing else is said. */
  readonly type?: string;
  /** Of a stream: what each of its events holds as data. */
  readonly items?: SchemaName;
  /** Headers worth knowing, and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Operation {
  /** Its name in generated clients. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Who may call it; anyone where it is not given. */
  readonly access?: Access;
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly schema: SchemaName; readonly optional?: true } | { readonly form: JsonObject };
  readonly responses: Readonly<Record<number, Told>>;
  /** Errors of its own, beside those that every such operation can end with. */
  readonly errors?: readonly ErrorCode[];
}
