/**
 * The map of WebArena's own images: the OpenStreetMap web site, and its servers for tiles, geocoding and routing. A proxy
 * gives all of them one address, because the browser of an episode reaches only the addresses of sites.
 */
import { type Compose, literal, type Place, type Service, shell } from "./described.js";

const website = "./map/openstreetmap-website";
const railsPort = 3001;
const profiles = ["car", "bike", "foot"] as const;

/** Folders for the map's data, relative to the folder of the compose file. */
export const mapData = [
  "map/tile-database",
  "map/nominatim-data",
  "map/nominatim-flatnode",
  "map/osm-dump",
  "map/osrm",
] as const;

export const mapVolumes: NonNullable<Compose["volumes"]> = {
  "map-tiles": {},
  "map-website-database": {},
  "map-website-tmp": {},
  "map-website-storage": {},
};

export function mapServices(place: Place, port: number): Record<string, Service> {
  return {
    map: {
      image: "nginx:1.28-alpine",
      ports: [place.published(port, port)],
      configs: [{ source: "map-proxy", target: "/etc/nginx/conf.d/default.conf" }],
      // The web site requests its own address, too, which is the proxy's.
      ...(place.isName && { extra_hosts: [`${place.host}:127.0.0.1`] }),
    },
    ...websiteServices(place.urlOf("map", port)),
    "map-tile-server": {
      image: "overv/openstreetmap-tile-server",
      command: ["run"],
      volumes: ["./map/tile-database:/data/database", "map-tiles:/data/tiles"],
    },
    "map-geocoding": {
      image: "mediagis/nominatim:4.2",
      command: ["/app/start.sh"],
      environment: {
        IMPORT_STYLE: "extratags",
        PBF_PATH: "/nominatim/data/us-northeast-latest.osm.pbf",
        IMPORT_WIKIPEDIA: "/nominatim/data/wikimedia-importance.sql.gz",
      },
      volumes: [
        "./map/osm-dump:/nominatim/data",
        "./map/nominatim-data:/var/lib/postgresql/14/main",
        "./map/nominatim-flatnode:/nominatim/flatnode",
      ],
    },
    ...Object.fromEntries(profiles.map((profile) => [`map-routing-${profile}`, routing(profile)])),
  };
}

/** The OpenStreetMap web site with its database. It shares the network of the proxy. */
function websiteServices(url: string): Record<string, Service> {
  const servers = ["tile-server", "geocoding", ...profiles.map((profile) => `routing-${profile}`)];
  return {
    "map-website": {
      image: "openstreetmap-website-web",
      network_mode: "service:map",
      command: shell(websiteStart(url)),
      environment: { PIDFILE: "/tmp/pids/server.pid" },
      volumes: [`${website}:/app`, "/app/node_modules", "map-website-tmp:/app/tmp", "map-website-storage:/app/storage"],
      tmpfs: ["/tmp/pids"],
      depends_on: ["map-website-database", ...servers.map((server) => `map-${server}`)],
    },
    "map-website-database": {
      image: "openstreetmap-website-db",
      environment: { POSTGRES_HOST_AUTH_METHOD: "trust", POSTGRES_DB: "openstreetmap" },
      // The web site's settings call its database `db`.
      networks: { default: { aliases: ["db"] } },
      volumes: ["map-website-database:/var/lib/postgresql/data"],
    },
  };
}

function routing(profile: string): Service {
  return {
    image: "ghcr.io/project-osrm/osrm-backend:v5.27.1",
    command: ["osrm-routed", "--algorithm", "mld", "/data/us-northeast-latest.osrm"],
    volumes: [`./map/osrm/${profile}:/data`],
  };
}

/** Sets the addresses of the servers in the web site, creates the tables of its database, and starts it. */
function websiteStart(url: string): string[] {
  const settings = `nominatim_url: "${url}/nominatim/"\\nfossgis_osrm_url: "${url}/osrm/"\\n`;
  return [
    `printf '${settings}' > config/settings.local.yml`,
    // Tiles of every layer come from the proxy.
    `sed -i -E "s#https?://[^/']+(/[a-z]+)*/\\{z\\}#/tile/{z}#" vendor/assets/leaflet/leaflet.osm.js`,
    "for attempt in $(seq 60); do bin/rails db:migrate && break; sleep 5; done",
    `exec bundle exec rails server -p ${railsPort} -b 127.0.0.1`,
  ];
}

/**
 * nginx resolves names in variables at each request, so that it starts before the servers and finds them again after a
 * restart. The web site adds `routed-car` to the address of the routing servers, or a port such as `:5000` in the version
 * of WebArena's authors.
 */
export const proxyConfig = literal(`server {
  listen 3000;
  resolver 127.0.0.11 valid=10s;
  proxy_read_timeout 300s;
  client_max_body_size 0;
  proxy_set_header Host $http_host;
  location /tile/ {
    set $tiles map-tile-server;
    proxy_pass http://$tiles;
  }
  location /nominatim/ {
    set $geocoding map-geocoding:8080;
    rewrite ^/nominatim/(.*)$ /$1 break;
    proxy_pass http://$geocoding;
  }
${profiles
  .map(
    (profile, at) => `  location ~ ^/osrm/(routed-${profile}|:?${5000 + at})/ {
    set $routing map-routing-${profile}:5000;
    rewrite ^/osrm/[^/]+/(.*)$ /$1 break;
    proxy_pass http://$routing;
  }
`,
  )
  .join("")}  location / {
    proxy_pass http://127.0.0.1:${railsPort};
  }
}
`);
