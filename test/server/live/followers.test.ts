import { describe, expect, it } from "vitest";
import type { Ask } from "../../../src/index.js";
import { createFollowers } from "../../../src/server/live/tail.js";
import { sampleNewAsk } from "../../../src/testing/samples.js";

const inSession = (session: string): Ask => sampleNewAsk(1_000, { session }).ask;

describe("followers", () => {
  it("are found by the session of an ask, and those without one always", () => {
    const followers = createFollowers<string>();
    followers.add("everywhere");
    followers.add("one", ["s1"]);
    followers.add("both", ["s1", "s2"]);
    expect([...followers.of(inSession("s1"))].sort()).toEqual(["both", "everywhere", "one"]);
    expect([...followers.of(inSession("s2"))].sort()).toEqual(["both", "everywhere"]);
    expect([...followers.of(inSession("s3"))]).toEqual(["everywhere"]);
  });

  it("are found without the others where none follows everything", () => {
    const followers = createFollowers<string>();
    followers.add("one", ["s1"]);
    expect([...followers.of(inSession("s1"))]).toEqual(["one"]);
    expect([...followers.of(inSession("s2"))]).toEqual([]);
  });

  it("are all told of an ask that is no longer known", () => {
    const followers = createFollowers<string>();
    followers.add("everywhere");
    followers.add("one", ["s1"]);
    followers.add("none", []);
    expect([...followers.of(undefined)].sort()).toEqual(["everywhere", "none", "one"]);
    expect([...followers].sort()).toEqual(["everywhere", "none", "one"]);
  });

  it("are told once, though they name a session twice", () => {
    const followers = createFollowers<string>();
    followers.add("one", ["s1", "s1"]);
    expect([...followers.of(inSession("s1"))]).toEqual(["one"]);
  });

  it("are gone when they are taken away, and their neighbours are not", () => {
    const followers = createFollowers<string>();
    const stopEverywhere = followers.add("everywhere");
    const stopOne = followers.add("one", ["s1", "s2"]);
    followers.add("two", ["s1"]);
    stopOne();
    stopOne();
    expect([...followers.of(inSession("s1"))].sort()).toEqual(["everywhere", "two"]);
    expect([...followers.of(inSession("s2"))]).toEqual(["everywhere"]);
    stopEverywhere();
    expect([...followers]).toEqual(["two"]);
    expect([...followers.of(inSession("s1"))]).toEqual(["two"]);
  });

  it("may take themselves away while they are told", () => {
    const followers = createFollowers<() => void>();
    const told: string[] = [];
    for (const name of ["first", "second", "third"]) {
      const stop = followers.add(() => {
        told.push(name);
        stop();
      }, ["s1"]);
    }
    for (const follower of followers.of(inSession("s1"))) follower();
    expect(told).toEqual(["first", "second", "third"]);
    expect([...followers]).toEqual([]);
  });
});
