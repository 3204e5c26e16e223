import { expect, test } from "vitest";
import { withAdditions } from "#palestra/server/program/handlers/mount-arguments.js";

test("a started gym gets every --mount, and the trainer gets none", () => {
  const args = ["eval", "--mount", "a=openenv:http://a", "--env", "a", "--mount=b=openenv:http://b,c", "--k", "2"];
  const mounts = ["a=openenv:http://a", "b=openenv:http://b,c"];
  expect(withAdditions(args, { mount: mounts })).toEqual({
    args: ["eval", "--env", "a", "--k", "2", "--gym", "spawn"],
    variables: { PALESTRA_MOUNTS: JSON.stringify(mounts) },
  });
});

test("arguments without --mount do not change", () => {
  expect(withAdditions(["eval", "--gym", "http://a"], {})).toEqual({
    args: ["eval", "--gym", "http://a"],
    variables: {},
  });
});

test.each([[["--gym", "spawn"]], [["--gym=spawn"]]])("%j is passed on unchanged", (gym) => {
  expect(withAdditions(["train", ...gym], { mount: ["a=openenv:http://a"] }).args).toEqual(["train", ...gym]);
});

test.each([[["--gym", "http://a"]], [["--gym=http://a"]]])(
  "%j with --mount is refused, since a running gym gets no mount",
  (gym) => {
    expect(() => withAdditions(["eval", ...gym], { mount: ["a=openenv:http://a"] })).toThrow(/--mount without --gym/);
  },
);

test("a started gym gets every --environment-module, wherever the options stand", () => {
  const args = ["eval", "--env", "maze", "--environment-module", "maze.js", "--environment-module=hill.js", "--k", "2"];
  const environmentModule = ["maze.js", "hill.js"];
  expect(withAdditions(args, { environmentModule })).toEqual({
    args: ["eval", "--env", "maze", "--k", "2", "--gym", "spawn"],
    variables: { PALESTRA_ENVIRONMENTS: JSON.stringify(environmentModule) },
  });
  expect(() => withAdditions(["eval", "--gym", "http://a"], { environmentModule })).toThrow(
    "expected --environment-module without --gym, but received both. Give --environment-module to `palestra serve`",
  );
});
