declare module "parse-prometheus-text-format" {
  /** Families of samples, in the form of prom2json; throws where the text is none. */
  function parse(text: string): unknown;
  export = parse;
}
