/** Something that is still being written, field by field: copies with conditions in them cost far more. */
export type Unfinished<T> = { -readonly [Field in keyof T]: T[Field] };
