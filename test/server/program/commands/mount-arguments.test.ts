import { expect, test } from "vitest";
import { withMounts } from "#palestra/server/program/handlers/mount-arguments.js";

test("the trainer gets no --mount, and a gym that is started gets all of them", () => {
  const args = [
    "eval",
    "--mount",
    "a=openvariables:http://a",
    "--env",
    "a",
    "--mount=b=openvariables:http://b,c",
    "--k",
    "2",
  ];
  const mounts = ["a=openvariables:http://a", "b=openvariables:http://b,c"];
  expect(withMounts(args, mounts)).toEqual({
    args: ["eval", "--env", "a", "--k", "2", "--gym", "spawn"],
    variables: { PALESTRA_MOUNTS: JSON.stringify(mounts) },
  });
});

test("without mounts nothing changes", () => {
  expect(withMounts(["eval", "--gym", "http://a"], undefined)).toEqual({
    args: ["eval", "--gym", "http://a"],
    variables: {},
  });
});

test.each([[["--gym", "spawn"]], [["--gym=spawn"]]])("%j stays", (gym) => {
  expect(withMounts(["train", ...gym], ["a=openvariables:http://a"]).args).toEqual(["train", ...gym]);
});

test.each([[["--gym", "http://a"]], [["--gym=http://a"]]])("%j is refused, since that gym has no such mount", (gym) => {
  expect(() => withMounts(["eval", ...gym], ["a=openvariables:http://a"])).toThrow(/--mount without --gym/);
});
