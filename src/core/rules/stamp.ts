/** What a module remembers of objects that went through it. Nobody else can see, copy or forge it. */
export interface Stamp<T> {
  /** Before the object is frozen. */
  put(target: object, value: T): void;
  of(target: object): T | undefined;
}

/** Like a WeakMap, for objects that live a moment: there the collector's work for a WeakMap is most of the cost. */
export function createStamp<T>(): Stamp<T> {
  // A private field belongs to whatever the constructor of the base class returns.
  class Target {
    constructor(target: object) {
      // biome-ignore lint/correctness/noConstructorReturn: this is how an object gets a private field of another's class
      return target;
    }
  }
  class Stamped extends Target {
    #value: T;
    constructor(target: object, value: T) {
      super(target);
      this.#value = value;
    }
    static of(target: object): T | undefined {
      return #value in target ? target.#value : undefined;
    }
  }
  return {
    put: (target, value) => void new Stamped(target, value),
    of: (target) => Stamped.of(target),
  };
}
