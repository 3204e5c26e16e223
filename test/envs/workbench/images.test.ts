/** Tasks with their own image, on a fake provider of images, which records its calls. */
import { describe, expect } from "vitest";
import { readTask } from "#palestra/envs/workbench/harbor/task.js";
import {
  type ExecOptions,
  type MachineProvider,
  type Sandbox,
  SandboxError,
  type SandboxSpec,
} from "#palestra/sandboxes/sandbox.js";
import {
  firstOneEnds,
  gradeAfter,
  machines,
  plainFiles,
  signal,
  testMachines,
  workbench,
  writeTask,
} from "./machines.js";

/** Opens process machines in place of images. A snapshot is the text of the file /app/state. */
class ImageMachines implements MachineProvider {
  readonly events: string[] = [];
  readonly specs: SandboxSpec[] = [];
  private readonly states = new Map<string, Uint8Array>();

  async open(spec: SandboxSpec): Promise<Sandbox> {
    this.specs.push(spec);
    const name = typeof spec.image === "string" ? spec.image : "built";
    this.events.push(`open ${name}`);
    const sandbox = await machines.open({ folder: "/app", writable: ["/app", "/logs", "/tests", "/solution"] });
    const state = this.states.get(name);
    if (state) await sandbox.writeFile("/app/state", state);
    return this.asImage(sandbox, name);
  }

  async close(): Promise<void> {}

  private asImage(sandbox: Sandbox, name: string): Sandbox {
    const { events, states } = this;
    const plain = ({ user: _, ...options }: ExecOptions = {}) => options;
    const overrides: Partial<Sandbox> = {
      exec: (command, options) => {
        // Only root could remove the folders, so they stay, and their contents are removed.
        const script = Array.isArray(command)
          ? (command as string[]).map((part) =>
              part.replace('rm -rf -- "$@" /solution', "rm -rf -- /logs/verifier/* /tests/*"),
            )
          : command;
        return sandbox.exec(script as string[], plain(options));
      },
      readFile: (path, { user: _, ...options } = {}) => sandbox.readFile(path, options),
      openShell: (options) => sandbox.openShell(plain(options)),
      close: async () => {
        events.push(`close ${name}`);
        await sandbox.close();
      },
      snapshot: async () => {
        const image = `snapshot-${states.size}`;
        events.push(`snapshot ${name}`);
        states.set(image, await sandbox.readFile("/app/state"));
        return { image, remove: async () => void events.push(`remove ${image}`) };
      },
    };
    return new Proxy(sandbox, {
      get: (target, key) => {
        const value: unknown = Reflect.get(overrides, key) ?? Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}

const imageTask = {
  "task.toml": `${plainFiles["task.toml"]}docker_image = "python:3.12"\n`,
  "tests/test.sh": "#!/bin/bash\ncat /app/state > /logs/verifier/reward.txt; ls /logs/verifier /tests\n",
};

describe("a task with an image", () => {
  testMachines("is graded in a copy of the agent's machine, which is closed before", async () => {
    const by = new ImageMachines();
    const { grade, snapshot } = await gradeAfter(
      "echo 0.5 > state; echo 1 > /logs/verifier/reward.json; touch /tests/own",
      imageTask,
      by,
    );
    await snapshot?.remove();
    expect(grade).toMatchObject({ rewards: { reward: 0.5 }, fault: undefined });
    expect(grade.output).not.toMatch(/reward.json|own/);
    const closed = by.events.indexOf("close python:3.12");
    expect(by.events.slice(0, 2)).toEqual(["open python:3.12", "snapshot python:3.12"]);
    expect(closed).toBeLessThan(by.events.indexOf("open snapshot-0"));
    expect(by.events.at(-1)).toBe("remove snapshot-0");
    for (const spec of by.specs) expect(spec).toMatchObject({ root: "writable", user: "root", network: "none" });
  });

  testMachines("of a separate verifier gets only the artifacts, and no snapshot is made", async () => {
    const by = new ImageMachines();
    const text = `artifacts = ["state"]\n${imageTask["task.toml"].replace("[verifier]", '[verifier]\nenvironment_mode = "separate"')}`;
    const { grade } = await gradeAfter("echo 0.25 > state; echo x > other", { ...imageTask, "task.toml": text }, by);
    expect(grade.rewards).toEqual({ reward: 0.25 });
    expect(by.events.join()).not.toContain("snapshot");
  });

  testMachines("is refused if images are unavailable, with the message of the provider", async () => {
    const { machine, stages } = await readTask(writeTask(imageTask));
    const { AgentMachine } = await import("#palestra/envs/workbench/machine/agent-machine.js");
    const opening = AgentMachine.open(machines, machine, stages[0] as (typeof stages)[0], {}, signal());
    await expect(opening).rejects.toMatchObject({
      name: "SandboxError",
      code: "REFUSED",
      message: expect.stringContaining("python:3.12"),
    });
  });
});

describe("an unavailable machine", () => {
  const failing = (after: number, by: MachineProvider = machines): MachineProvider => {
    let opened = 0;
    return {
      open: (spec, abort) => {
        if (opened++ < after) return by.open(spec, abort);
        throw new SandboxError("FULL", "one of 32 sandboxes to end", "none");
      },
      close: async () => {},
    };
  };

  testMachines("for grading is an infrastructure failure, never a reward of 0", async () => {
    await expect(gradeAfter("true", {}, failing(1))).rejects.toMatchObject({ code: "FULL" });
  });

  testMachines("after the loss of the agent's machine is also an infrastructure failure", async () => {
    const environment = workbench(failing(1, firstOneEnds()));
    await environment.reset({ task: { split: "train", index: 0 }, seed: 0, options: {} }, signal());
    await expect(environment.step("bash sleep 30", signal())).rejects.toMatchObject({ code: "LOST" });
    await environment.close();
  });
});

describe("every machine is closed", () => {
  const counted = () => {
    const live = new Set<Sandbox>();
    const by: MachineProvider = {
      open: async (spec, abort) => {
        const sandbox = await machines.open(spec, abort);
        live.add(sandbox);
        void sandbox.ended.then(() => live.delete(sandbox));
        return sandbox;
      },
      close: async () => {},
    };
    return { live, by };
  };

  testMachines("when the files of the agent exceed the limits", async () => {
    const { live, by } = counted();
    const { grade } = await gradeAfter("mkdir many; cd many; seq 1 10500 | xargs touch", {}, by);
    expect(grade.fault).toContain("expected fewer files");
    expect(live.size).toBe(0);
  });

  testMachines("when a call is aborted: a command, and a grading", async () => {
    for (const action of ["bash sleep 30", "submit"]) {
      const { live, by } = counted();
      const environment = workbench(by);
      await environment.reset({ task: { split: "train", index: 0 }, seed: 0, options: {} }, signal());
      expect(live.size).toBe(1);
      const controller = new AbortController();
      const step = environment.step(action, controller.signal);
      setTimeout(() => controller.abort(new Error("given up")), 60);
      await expect(step).rejects.toThrow("given up");
      await environment.close();
      expect(live.size).toBe(0);
    }
  });

  testMachines("when the machine opens only after the reset was aborted", async () => {
    const { live, by } = counted();
    const slow: MachineProvider = {
      open: async (spec) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return by.open(spec);
      },
      close: async () => {},
    };
    const environment = workbench(slow);
    const controller = new AbortController();
    const reset = environment.reset({ task: { split: "train", index: 0 }, seed: 0, options: {} }, controller.signal);
    controller.abort(new Error("given up"));
    await environment.close();
    await expect(reset).rejects.toThrow("given up");
    expect(live.size).toBe(0);
  });
});
