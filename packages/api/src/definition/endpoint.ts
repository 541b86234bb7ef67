/**
 * The form of an endpoint's definition, and types that are derived from it. The server registers a handler with the
 * definition and writes the OpenAPI document from it. A client uses it to build the address and to check the response.
 */
import type { z } from "zod";
import type { DeepReadonly } from "./data.ts";

export interface Answer {
  readonly description: string;
  /** Schema of a JSON body. */
  readonly schema?: z.ZodType;
  /** Media type of any other body. */
  readonly mime?: string;
}

export interface Endpoint {
  readonly method: "get" | "post" | "patch" | "delete";
  /** The path in OpenAPI syntax: `/api/conversations/{id}`. `{path}` at the end is the rest, with its slashes. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Whether the endpoint returns internal content. Then callers need the permission `inspect`. */
  readonly needs?: "inspect";
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Schema of a JSON body. */
  readonly body?: z.ZodType;
  /** Other bodies that the handler reads itself, by media type. */
  readonly otherBodies?: Readonly<Record<string, z.ZodType>>;
  readonly headers?: z.ZodObject;
  /** Schemas of the JSON responses, by status. */
  readonly answers: Readonly<Record<number, Answer>>;
}

/** Keeps the exact type of a definition, from which the types below are derived. */
export function defineEndpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/** The schema of a part of the request; `undefined` if the endpoint does not have it. */
type Part<E extends Endpoint, K extends "params" | "query" | "body"> = E extends { readonly [key in K]: infer S }
  ? S
  : undefined;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** A request as its handler gets it. A body of another media type than JSON is not read yet. */
export interface RequestOf<E extends Endpoint> {
  readonly params: Output<Part<E, "params">>;
  readonly query: Output<Part<E, "query">>;
  readonly body: Output<Part<E, "body">> | (E extends { readonly otherBodies: object } ? undefined : never);
}

export type BodyOf<E extends Endpoint> = Input<Part<E, "body">>;

/** The statuses with a JSON body, each with the type of that body. */
type JsonAnswers<E extends Endpoint> = {
  [S in keyof E["answers"] as E["answers"][S] extends { readonly schema: z.ZodType }
    ? S
    : never]: E["answers"][S] extends {
    readonly schema: infer A;
  }
    ? Output<A>
    : never;
};

/** A JSON body by its status, as read-only data. */
export type AnswersOf<E extends Endpoint> = { [S in keyof JsonAnswers<E>]: DeepReadonly<JsonAnswers<E>[S]> };

/** The JSON body of a success. */
export type AnswerOf<E extends Endpoint> = AnswersOf<E>[Extract<keyof AnswersOf<E>, 200 | 201 | 202>];

type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;

export type ParamsOf<E extends Endpoint> = Readonly<Record<PathNames<E["path"]>, string | number>>;

/** The path and query of a request. Values of the query that are `undefined` are left out. */
export function addressOf<E extends Endpoint>(
  { path }: E,
  params: ParamsOf<E>,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const values: Readonly<Record<string, string | number>> = params;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name]);
    return name === "path" ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}
