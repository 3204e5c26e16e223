import { expect, test } from "vitest";
import { PageReads } from "#palestra/server/episodes/page-reads.js";
import type { Log } from "#palestra/server/log/log.js";

test("long pages are read a few at a time, in order, and one that fails holds up none", async () => {
  const asked: number[] = [];
  const settle: ((failed: boolean) => void)[] = [];
  const call = (_method: string, episode: number) => {
    asked.push(episode);
    return new Promise((resolve, reject) => settle.push((failed) => (failed ? reject(new Error()) : resolve([]))));
  };
  const pages = new PageReads({ call } as unknown as Log);
  const reads = Array.from({ length: 10 }, (_, episode) => pages.read(episode, 0, 1).catch(() => "failed"));
  await Promise.resolve();
  expect(asked).toEqual([0, 1, 2, 3]);
  for (let done = 0; done < 10; done++) {
    settle[done]?.(done % 3 === 1);
    await reads[done];
    expect(asked).toHaveLength(Math.min(10, 5 + done));
  }
  expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect((await Promise.all(reads)).filter((outcome) => outcome === "failed")).toHaveLength(3);
});
