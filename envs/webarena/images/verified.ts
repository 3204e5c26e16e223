/**
 * WebArena-Verified's slim images, as its repository describes them in `docs/environments/` and `docker-compose.yml`. The
 * program env-ctrl in a container applies the site's address from a variable at the start. It can also stop, start and
 * restart the programs of the site, but it cannot restore their data, so a reset creates a new container.
 */
import { credentialsOf } from "../accounts.js";
import {
  type Described,
  type DescribedName,
  type DescribedSite,
  landing,
  type Place,
  type Service,
} from "./described.js";

interface Image {
  port: number;
  /** Port of env-ctrl on the machine. Undefined if the container runs without env-ctrl. */
  controlPort?: number;
  portInContainer: number;
  isChangeable: boolean;
  /** Path of the site's URL in tasks. */
  path?: string;
  /** Header that logs in with `user:password`. */
  loginHeader?: string;
  more?: Partial<Service>;
}

const controlPortInContainer = 8877;

/** Volumes of the map, which `webarena-verified env setup init --site map` creates and fills. */
const mapVolumes: Readonly<Record<string, string>> = {
  webarena_verified_map_tile_db: "/data/database",
  webarena_verified_map_routing_car: "/data/routing/car",
  webarena_verified_map_routing_bike: "/data/routing/bike",
  webarena_verified_map_routing_foot: "/data/routing/foot",
  webarena_verified_map_nominatim_db: "/data/nominatim/postgres",
  webarena_verified_map_nominatim_flatnode: "/data/nominatim/flatnode",
  webarena_verified_map_website_db: "/var/lib/postgresql/14/main",
  webarena_verified_map_tiles: "/data/tiles",
  webarena_verified_map_style: "/data/style",
};

const images: Readonly<Record<DescribedName, Image>> = {
  shopping: {
    port: 7770,
    controlPort: 7771,
    portInContainer: 80,
    isChangeable: true,
    loginHeader: "X-M2-Customer-Auto-Login",
  },
  shopping_admin: {
    port: 7780,
    controlPort: 7781,
    portInContainer: 80,
    isChangeable: true,
    path: "/admin",
    loginHeader: "X-M2-Admin-Auto-Login",
  },
  reddit: {
    port: 9999,
    controlPort: 9998,
    portInContainer: 80,
    isChangeable: true,
    loginHeader: "X-Postmill-Auto-Login",
  },
  // In the repository's version, the container of GitLab ends at its start with env-ctrl, since `env-ctrl init` requires an
  // address as its argument there, but gets none. Without env-ctrl, the container itself applies the address.
  gitlab: {
    port: 8023,
    portInContainer: 8023,
    isChangeable: true,
    more: { shm_size: "2gb" },
  },
  wikipedia: {
    port: 8888,
    controlPort: 8889,
    portInContainer: 8080,
    isChangeable: false,
    path: landing,
    more: { volumes: ["./wikipedia:/data:ro"] },
  },
  map: {
    port: 3030,
    controlPort: 3031,
    portInContainer: 8080,
    isChangeable: false,
    more: {
      platform: "linux/amd64",
      volumes: Object.entries(mapVolumes).map(([volume, path]) => `${volume}:${path}`),
    },
  },
};

export function verifiedImages(place: Place): Described {
  const listed = Object.entries(images) as [DescribedName, Image][];
  const sites = listed.map(([name, { port, path, isChangeable, loginHeader }]): [DescribedName, DescribedSite] => [
    name,
    { url: place.urlOf(name, port, path), isChangeable, ...(loginHeader && { headers: login(name, loginHeader) }) },
  ]);
  return {
    compose: {
      name: "palestra-webarena-verified",
      services: Object.fromEntries(listed.map(([name, image]) => [name, serviceOf(name, image, place)])),
      volumes: Object.fromEntries(Object.keys(mapVolumes).map((name) => [name, { external: true }])),
    },
    sites: Object.fromEntries(sites) as Record<DescribedName, DescribedSite>,
    dataFolders: ["wikipedia"],
  };
}

function serviceOf(name: DescribedName, image: Image, place: Place): Service {
  const { port, controlPort, portInContainer, more } = image;
  return {
    image: `am1n3e/webarena-verified-${name}`,
    ...more,
    environment: {
      WA_ENV_CTRL_EXTERNAL_SITE_URL: place.urlOf(name, port),
      ...(controlPort === undefined && { WA_ENV_CTRL_ENABLE: "false" }),
    },
    ports: [
      place.published(port, portInContainer),
      // Requests to env-ctrl need no login, so only this machine can send them.
      ...(controlPort === undefined ? [] : [`127.0.0.1:${controlPort}:${controlPortInContainer}`]),
    ],
  };
}

function login(name: DescribedName, header: string): Record<string, string> {
  const { username, password } = credentialsOf(name, {}) ?? {};
  return { [header]: `${username}:${password}` };
}
