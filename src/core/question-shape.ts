type Fields = Readonly<Record<string, unknown>>;

/**
 * How somebody else writes questions. Of a question and an option only what is picked of it is read, under the
 * names of `QuestionInput` and `OptionInput`; but for its `id`, which has this name everywhere.
 */
export interface QuestionShape {
  readonly question: (fields: Fields) => Fields;
  readonly option: (fields: Fields) => Fields;
}
