// Parts that are loaded when they are first needed, once for all cards of a page.

export interface Lazy<Module> {
  /** The module if it is there. Otherwise starts to load it; `then` is called when it has come, or cannot. */
  get(then: () => void): Module | undefined;
  /** Whether the last attempt failed. The next `get` after `retry` tries again. */
  readonly failed: boolean;
  retry(): void;
}

/** One for each language. */
export function lazyByLanguage<Language extends string, Module>(
  loaders: Readonly<Record<Language, () => Promise<Module>>>,
): Readonly<Record<Language, Lazy<Module>>> {
  const entries = Object.entries<() => Promise<Module>>(loaders).map(([code, load]) => [code, lazy(load)]);
  return Object.fromEntries(entries);
}

export function lazy<Module>(load: () => Promise<Module>): Lazy<Module> {
  let module: Module | undefined;
  let loading: Promise<void> | undefined;
  let failed = false;
  return {
    get(then) {
      if (module !== undefined || failed) return module;
      loading ??= load().then(
        (loaded) => {
          module = loaded;
        },
        () => {
          failed = true;
          loading = undefined;
        },
      );
      void loading.then(then);
      return undefined;
    },
    get failed() {
      return failed;
    },
    retry() {
      failed = false;
    },
  };
}
