/** Tasks in containers of a real engine: bundled tasks, and tasks with their own image. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { loadTask, splits } from "#palestra/envs/workbench/tasks.js";
import { DockerProvider } from "#palestra/sandboxes/docker/docker-provider.js";
import { testDocker } from "../../support/docker.js";
import { gradeAfter, signal, workbench } from "./machines.js";

function docker(): DockerProvider {
  const provider = new DockerProvider({ mayPull: false });
  onTestFinished(() => provider.close());
  return provider;
}

const image = (lines: string, more = "") => ({
  "task.toml": `schema_version = "1.4"\n[environment]\nnetwork_mode = "no-network"\n${more}`,
  "environment/Dockerfile": `FROM palestra-base:1\n${lines}`,
});

testDocker("the solution of every bundled task has the reward 1", async () => {
  const by = docker();
  const refs = Object.entries(splits).flatMap(([split, { size }]) =>
    Array.from({ length: size as number }, (_, index) => ({ split, index })),
  );
  const rewards: Record<string, number> = {};
  for (const task of refs) {
    const environment = workbench(by);
    await environment.reset({ task, seed: 0, options: {} }, signal());
    let reward = 0;
    for (let action = environment.advise(); action !== null; action = environment.advise())
      reward += (await environment.step(action, signal())).reward;
    rewards[(await loadTask(task)).name] = reward;
    await environment.close();
  }
  const names = readdirSync(fileURLToPath(new URL("../../../envs/workbench/data/tasks/", import.meta.url)));
  expect(rewards).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
});

testDocker("the agent and the verifier run as the users that the task names", async () => {
  const users = image(
    "WORKDIR /app\nRUN useradd -m solver && useradd -m tester && mkdir /app/own && chown solver /app/own\n",
    '[agent]\nuser = "solver"\n[verifier]\nuser = "tester"\n',
  );
  const test = `#!/bin/bash
[ "$(id -un) $(cat /app/own/mine) $(stat -c %U /app/own/mine)" = "tester solver solver" ]
echo $((! $?)) > /logs/verifier/reward.txt
`;
  const { grade, output } = await gradeAfter(
    "id -un > own/mine; touch /app/no /logs/artifacts/yes; ls /logs/artifacts",
    { ...users, "tests/test.sh": test },
    docker(),
  );
  expect(grade).toMatchObject({ rewards: { reward: 1 }, fault: undefined });
  expect(output).toMatch(/^yes\n.*\/app\/no/);
});

testDocker(
  "a service of the agent answers a verifier in the agent's container, and no verifier in a new container",
  async () => {
    const answers =
      '[ "$(python3 -c \'import urllib.request as u; print(u.urlopen("http://localhost:8123/").read())\')" = "b\'right\'" ]';
    const serve =
      "printf right > index.html; (python3 -m http.server 8123 > /dev/null 2>&1 &)\n" +
      `for i in $(seq 200); do ${answers} 2> /dev/null && break; sleep 0.1; done`;
    const files = (mode: string) => ({
      ...image("RUN mkdir /app\nWORKDIR /app\n", `[agent]\ntimeout_sec = 60.0\n[verifier]\n${mode}`),
      "tests/test.sh": `#!/bin/bash\n${answers}\necho $((! $?)) > /logs/verifier/reward.txt\n`,
    });
    const shared = files('environment_mode = "shared"\n');
    const rewardOf = async (command: string, task: typeof shared) =>
      (await gradeAfter(command, task, docker())).grade.rewards;
    expect(await rewardOf(serve, shared)).toEqual({ reward: 1 });
    expect(await rewardOf("true", shared)).toEqual({ reward: 0 });
    expect(await rewardOf(serve, files(""))).toEqual({ reward: 0 });
  },
);

testDocker("a shared verifier sees all files of the agent, /tmp included, and none of its processes", async () => {
  const { grade } = await gradeAfter(
    "echo one > /etc/one; echo two > /tmp/two; (setsid sleep 300 &)",
    {
      ...image("RUN mkdir /app\nWORKDIR /app\n"),
      "tests/test.sh": "#!/bin/bash\ncat /etc/one /tmp/two\npgrep sleep\necho 0.5 > /logs/verifier/reward.txt\n",
    },
    docker(),
  );
  expect(grade).toMatchObject({ rewards: { reward: 0.5 }, output: "one\ntwo\n" });
});

testDocker("a separate verifier gets only the artifacts", async () => {
  const separate = image("RUN mkdir /app\nWORKDIR /app\n", '[verifier]\nenvironment_mode = "separate"\n');
  const { grade } = await gradeAfter(
    "echo answer > answer; echo other > other; echo log > /logs/artifacts/log",
    {
      ...separate,
      "task.toml": `artifacts = ["answer"]\n${separate["task.toml"]}`,
      "tests/Dockerfile":
        "FROM palestra-base:1\nRUN mkdir -p /app /tests\nCOPY test.sh /tests/\nRUN chmod 755 /tests/test.sh\nWORKDIR /app\n",
      "tests/test.sh": "#!/bin/bash\ncd /app; ls; cat answer /logs/artifacts/log; echo 1 > /logs/verifier/reward.txt\n",
    },
    docker(),
  );
  expect(grade).toMatchObject({ rewards: { reward: 1 }, output: "answer\nanswer\nlog\n" });
});
