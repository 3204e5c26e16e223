/** Desktop episodes: pictures, refusals and endings, and the conformance suite on a real engine. */
import type { PNG } from "pngjs";
import { describe, expect } from "vitest";
import { checkEnvironment } from "#palestra/envs/check-env.js";
import desktop from "#palestra/envs/desktop/index.js";
import type { MachineProvider } from "#palestra/sandboxes/sandbox.js";
import { SandboxError } from "#palestra/sandboxes/sandbox.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { openSandboxes } from "#palestra/server/hosts/sandboxes.js";
import { expectPicture, signal, testDesktop, withDesktop } from "./desktops.js";

const noteTask = { split: "train", index: 0 };

describe("a desktop", () => {
  testDesktop("shows the effect of each action, and refuses wrong actions without any effect", async (machines) => {
    await withDesktop(machines, noteTask, async (desktop) => {
      const act = (action: object) => desktop.step(JSON.stringify(action), signal());
      const before = expectPicture(await act({ action: "screenshot" }));
      const typed = await act({ action: "type", text: 'ünï "C:\\x"\n✓ {y}' });
      expect(typed.observation).toMatch(/^Typed 16 characters\. .*"note\.txt \(changed\)/);
      expect(differing(before, expectPicture(typed))).toBeGreaterThan(50);
      await act({ action: "key", text: "ctrl+s" });
      const unknown = await act({ action: "key", text: "ctrl+Enter exec" });
      expect(unknown.observation).toMatch(/^Not done: no key has the name Enter, exec\./);
      const moved = await act({ action: "mouse_move", coordinate: [1023, 767] });
      expect(moved.observation).toBe(
        'Moved the cursor to (1023, 767). The cursor is at (1023, 767). The window with the focus is "note.txt - /home/user".',
      );
      const wrong = await act({ action: "mouse_move", coordinate: [1024, 767] });
      expect(wrong.observation).toContain("expected number to be <=1023");
      expect({ ...wrong, observation: "" }).toEqual({
        observation: "",
        reward: 0,
        terminated: false,
        truncated: false,
        info: {},
      });
      const done = await act({ action: "done" });
      expect(done.info.faults).toEqual([expect.stringContaining('but received ünï "C:\\x"\n✓ {y}')]);
    });
  });

  testDesktop("types characters without keys, even if the program reads them late", async (machines) => {
    let command = "";
    const facts = opening(machines, async (sandbox) => {
      const { exitCode, stderr } = await sandbox.exec(command);
      expect([exitCode, stderr]).toEqual([0, ""]);
    });
    const send = async (name: string) => {
      command = `for each in /proc/[0-9]*; do if grep -qsx xfw $each/comm; then kill -${name} ${"$"}{each#/proc/}; fi; done`;
      await facts.act();
    };
    const late = "ÄÖÜ äöü ßéñ ✓—Ω";
    // More characters than the keyboard has unused keys.
    const many = Array.from({ length: 150 }, (_, at) => String.fromCodePoint(0x4e00 + 7 * at)).join("");
    await withDesktop(facts.machines, noteTask, async (desktop) => {
      await send("STOP");
      await desktop.step(JSON.stringify({ action: "type", text: late }), signal());
      await send("CONT");
      const typed = await desktop.step(JSON.stringify({ action: "type", text: many }), signal());
      expect(typed.observation).toMatch(/^Typed 150 characters\./);
      await desktop.step(JSON.stringify({ action: "key", text: "ctrl+s" }), signal());
      const done = await desktop.step(JSON.stringify({ action: "done" }), signal());
      expect(done.info.faults).toEqual([expect.stringContaining(`but received ${late}${many}`)]);
    });
  });

  testDesktop("repeats no key, even if its release is late on a busy machine", async (machines) => {
    const holding = opening(machines, async (sandbox) => {
      const { exitCode, stderr } = await sandbox.exec("DISPLAY=:0 xdotool keydown x sleep 2 keyup x");
      expect([exitCode, stderr]).toEqual([0, ""]);
    });
    await withDesktop(holding.machines, noteTask, async (desktop) => {
      await holding.act();
      await desktop.step(JSON.stringify({ action: "key", text: "ctrl+s" }), signal());
      const done = await desktop.step(JSON.stringify({ action: "done" }), signal());
      expect(done.info.faults).toEqual([expect.stringMatching(/but received x$/)]);
    });
  });

  testDesktop("shows the effects of a drag and of the wheel", async (machines) => {
    await withDesktop(machines, noteTask, async (desktop) => {
      const act = (action: object) => desktop.step(JSON.stringify(action), signal());
      await act({ action: "type", text: Array.from({ length: 40 }, (_, line) => `${line}`).join("\n") });
      const bottom = expectPicture(await act({ action: "mouse_move", coordinate: [600, 400] }));
      const top = expectPicture(
        await act({ action: "scroll", coordinate: [600, 400], scroll_direction: "up", scroll_amount: 20 }),
      );
      expect(differing(bottom, top)).toBeGreaterThan(500);
      const dragged = expectPicture(
        await act({ action: "left_click_drag", start_coordinate: [560, 210], coordinate: [360, 60] }),
      );
      // The title bar of the window has moved, and its old place shows the desktop's colour.
      expect(colourAt(top, 900, 210)).not.toEqual([0x3b, 0x5b, 0x7a]);
      expect(colourAt(dragged, 900, 210)).toEqual([0x3b, 0x5b, 0x7a]);
    });
  });

  testDesktop("that the agent ends scores 0 and is not a failure", async (machines) => {
    const killing = opening(machines, async (sandbox) => {
      expect((await sandbox.exec(["pkill", "-KILL", "-x", "Xvfb"])).exitCode).toBe(0);
    });
    await withDesktop(killing.machines, noteTask, async (desktop) => {
      await killing.act();
      const result = await desktop.step('{"action": "screenshot"}', signal());
      expect(result).toMatchObject({ reward: 0, terminated: true, info: { reward: 0 } });
      expect(result.observation).toBe("The desktop has ended. The task is over.");
    });
  });

  testDesktop("that cannot be opened again fails with an infrastructure error", async (machines) => {
    const killing = opening(machines, (sandbox) => sandbox.close());
    await withDesktop(killing.machines, noteTask, async (desktop) => {
      await killing.act();
      killing.refuse();
      await expect(desktop.step('{"action": "screenshot"}', signal())).rejects.toMatchObject({ code: "LOST" });
    });
  });

  testDesktop("has no network, an ordinary user and a read-only root", async (machines) => {
    const facts = opening(machines, async (sandbox) => {
      const { stdout } = await sandbox.exec(
        "id -u; ls /sys/class/net; touch /usr/x 2>&1; grep -l 6000 /proc/net/tcp; grep CapEff /proc/self/status",
      );
      expect(stdout).toMatch(/^1000\nlo\ntouch: .*Read-only file system\nCapEff:\t0{16}\n$/);
    });
    await withDesktop(facts.machines, noteTask, () => facts.act());
  });
});

testDesktop(
  "passes the conformance suite",
  async () => {
    const sandboxes = openSandboxes(loadConfig({ env: {}, flags: {} }));
    try {
      const spec = { ...desktop, splits: { train: desktop.splits.train as (typeof desktop.splits)[string] } };
      const results = await checkEnvironment(spec, { episodes: 1, sandboxes });
      expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
      const passed = results.filter(({ outcome }) => outcome === "passed").map(({ check }) => check);
      expect(passed).toEqual(
        expect.arrayContaining(["start", "any-action", "determinism", "expert-reward", "expert-tools"]),
      );
    } finally {
      await sandboxes.close();
    }
  },
  300_000,
);

type Machine = Awaited<ReturnType<MachineProvider["open"]>>;

/** Wraps machines so that a test can act on the first sandbox. */
function opening(machines: MachineProvider, act: (sandbox: Machine) => Promise<void>) {
  let first: Machine | undefined;
  let isRefusing = false;
  const open: MachineProvider["open"] = async (spec, abort) => {
    if (isRefusing) throw new SandboxError("MISSING", "an engine", "none");
    const sandbox = await machines.open(spec, abort);
    first ??= sandbox;
    return sandbox;
  };
  return {
    machines: { open, close: async () => {} } satisfies MachineProvider,
    act: () => act(first as Machine),
    refuse: () => {
      isRefusing = true;
    },
  };
}

/** Returns the number of different pixels. */
function differing(one: PNG, other: PNG): number {
  let count = 0;
  for (let at = 0; at < one.data.length; at += 4)
    if (one.data.readUInt32BE(at) !== other.data.readUInt32BE(at)) count += 1;
  return count;
}

function colourAt(picture: PNG, x: number, y: number): number[] {
  return [...picture.data.subarray(4 * (y * picture.width + x)).subarray(0, 3)];
}
