/** Descriptions of a family of site images: the services of a compose file, and the settings of the sites. */
import type { SiteName } from "../../shared/web-tasks/tasks/sites.js";

/** The parts of Docker Compose's file format that the sites use. */
export interface Service {
  image: string;
  platform?: string;
  command?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  extra_hosts?: readonly string[];
  network_mode?: string;
  networks?: Readonly<Record<string, { aliases: readonly string[] }>>;
  ports?: readonly string[];
  volumes?: readonly string[];
  configs?: readonly { source: string; target: string }[];
  tmpfs?: readonly string[];
  shm_size?: string;
  depends_on?: readonly string[];
  /** Commands that run in each new container after its start. Compose waits for them. */
  post_start?: readonly { command: readonly string[] }[];
}

export interface Compose {
  /** Name of the project, the first part of the containers' names. */
  name: string;
  services: Readonly<Record<string, Service>>;
  volumes?: Readonly<Record<string, { name?: string; external?: boolean }>>;
  configs?: Readonly<Record<string, { content: string }>>;
}

/** A site in a compose file, whose service has the name of the site. */
export interface DescribedSite {
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Whether episodes can change the site. Other sites are never reset, and several episodes use them at a time. */
  isChangeable: boolean;
}

export type DescribedName = Exclude<SiteName, "homepage">;

export interface Described {
  compose: Compose;
  sites: Readonly<Record<DescribedName, DescribedSite>>;
  /** Folders for data, relative to the folder of the compose file. */
  dataFolders: readonly string[];
}

/** The machine of the sites, as the browser of an episode reaches it. */
export class Place {
  private readonly isLoopback: boolean;

  /**
   * @param host host name or IPv4 address, without a port
   * @throws {Error} the host is invalid
   */
  constructor(readonly host: string) {
    if (!/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host))
      throw new Error(
        `expected a host name or an IPv4 address, without scheme and port, but received ${JSON.stringify(host)}`,
      );
    this.isLoopback = host === "localhost" || host.startsWith("127.");
  }

  get isPublic(): boolean {
    return !this.isLoopback;
  }

  /** Whether only its owner's name service knows the host, so that containers need an entry for it. */
  get isName(): boolean {
    return !this.isLoopback && !/^[\d.]+$/.test(this.host);
  }

  urlOf(site: DescribedName, port: number, path = ""): string {
    return `http://${site === "reddit" ? this.forumHost : this.host}:${port}${path}`;
  }

  /** Returns the entry of `ports` that publishes a container's port. Loopback hosts need only the loopback address. */
  published(port: number, inContainer: number): string {
    return `${this.isLoopback ? "127.0.0.1" : "0.0.0.0"}:${port}:${inContainer}`;
  }

  /**
   * The forum and the shop both call their cookie PHPSESSID, and browsers share cookies between the ports of a host. With
   * one host, a visit to the forum would end the login at the shop.
   */
  private get forumHost(): string {
    if (!this.isLoopback) return this.host;
    return this.host === "localhost" ? "127.0.0.1" : "localhost";
  }
}

/** Returns a shell command for a compose file, where `$` would begin a variable of Compose. */
export function shell(lines: readonly string[]): string[] {
  return ["sh", "-ec", literal(lines.join("\n"))];
}

/** Returns a text for a compose file. */
export function literal(text: string): string {
  return text.replaceAll("$", "$$$$");
}

/** Path of WebArena's start page of Wikipedia. */
export const landing = "/wikipedia_en_all_maxi_2022-05/A/User:The_other_Kiwix_guy/Landing";
