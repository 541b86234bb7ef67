import type { z } from "zod";

type Primitive = string | number | boolean | null | undefined;

export type DeepReadonly<T> = T extends Primitive
  ? T
  : T extends readonly (infer I)[]
    ? readonly DeepReadonly<I>[]
    : T extends object
      ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
      : T;

/** The data that a schema describes, read-only. */
export type Data<S extends z.ZodType> = DeepReadonly<z.output<S>>;
