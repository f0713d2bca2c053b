import { expect, it } from "vitest";
import { createBatchSize } from "../../../src/stores/sqlite/batch-size.ts";

it("is as large as it may be until something is known", () => {
  expect(createBatchSize(256).best).toBe(256);
});

it("is small where a commit costs little", () => {
  const size = createBatchSize(256);
  size.measured(64, 6.4, 0.2);
  expect(size.best).toBe(16);
});

it("grows with what a commit costs, up to its bound", () => {
  const size = createBatchSize(256);
  size.measured(10, 1, 1);
  expect(size.best).toBe(40);
  for (let commit = 0; commit < 50; commit += 1) size.measured(40, 4, 10);
  expect(size.best).toBe(256);
});

it("does not jump at one slow commit", () => {
  const size = createBatchSize(256);
  for (let commit = 0; commit < 50; commit += 1) size.measured(16, 1.6, 0.3);
  size.measured(16, 1.6, 1.5);
  expect(size.best).toBeLessThan(32);
});
