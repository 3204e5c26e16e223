/** A foreign web site: Fossil, a code forge with wiki and tickets, from Debian's package. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { imageFolder } from "./docker.js";

const packages = ["fossil", "libfuse2", "libtcl8.6"];
const kept = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "palestra", "test-fossil");

const dockerfile = `COPY packages /packages
RUN dpkg --unpack --force-all /packages/*.deb && rm -rf /packages && ldconfig
ENV HOME=/srv USER=admin
RUN mkdir -p /srv/forge && cd /srv/forge && fossil init --admin-user admin forge.fossil \\
 && fossil user new byteblaze "" hello1234 -R forge.fossil && fossil user capabilities byteblaze s -R forge.fossil
RUN printf '# Apiary\\n\\nThe hives are counted on the [Numbers](/wiki?name=Numbers) page.\\n' > /home.md && cd /srv/forge \\
 && fossil wiki create Home /home.md -R forge.fossil --mimetype text/x-markdown \\
 && printf '# Numbers\\n\\nThere are 17 hives.\\n' > /numbers.md \\
 && fossil wiki create Numbers /numbers.md -R forge.fossil --mimetype text/x-markdown \\
 && chmod -R 777 /srv/forge
`;

/** Makes a folder to build its image from. @throws {Error} if Debian's packages cannot be downloaded */
export function fossilFolder(): string {
  mkdirSync(kept, { recursive: true });
  execFileSync("apt-get", ["download", "-o", "APT::Sandbox::User=root", ...packages], { cwd: kept, stdio: "ignore" });
  const folder = imageFolder(dockerfile);
  cpSync(kept, join(folder, "packages"), { recursive: true });
  return folder;
}

/** Returns its entry in the settings of WebArena's sites, in place of GitLab. */
export function fossilSettings(folder: string) {
  return {
    machine: {
      image: { folder },
      port: 8080,
      start: ["fossil", "server", "--port", "8080", "/srv/forge/forge.fossil"],
      user: "1000:1000",
      ready: "/timeline",
      readySeconds: 60,
      ...{ memoryMb: 256, cpus: 1, processes: 64, diskMb: 256 },
    },
    account: { username: "byteblaze", password: "hello1234" },
    login: {
      ...{ path: "/login", username: "User ID:", password: "Password:", button: "Login" },
      check: { path: "/login", text: "Change Password" },
    },
  };
}
