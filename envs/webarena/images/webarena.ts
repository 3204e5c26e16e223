/**
 * WebArena's own images, as its repository describes them in `environment_docker/README.md` and, for the servers behind
 * the map, in `webarena-map-backend-boot-init.yaml`.
 */
import { type Described, landing, type Place, type Service, shell } from "./described.js";
import { mapData, mapServices, mapVolumes, proxyConfig } from "./map.js";

const ports = { shopping: 7770, shopping_admin: 7780, reddit: 9999, gitlab: 8023, wikipedia: 8888, map: 3000 };
const magento = "/var/www/magento2/bin/magento";
const mysql = "mysql -u magentouser -pMyPassword magentodb";

export function webarenaImages(place: Place): Described {
  const shop = place.urlOf("shopping", ports.shopping);
  const shopAdmin = place.urlOf("shopping_admin", ports.shopping_admin);
  const gitlab = place.urlOf("gitlab", ports.gitlab);
  const map = place.urlOf("map", ports.map);
  return {
    compose: {
      name: "palestra-webarena",
      services: {
        shopping: {
          image: "shopping_final_0712",
          ports: [place.published(ports.shopping, 80)],
          post_start: [{ command: shell(magentoSettings(shop)) }],
        },
        shopping_admin: {
          image: "shopping_admin_final_0719",
          ports: [place.published(ports.shopping_admin, 80)],
          post_start: [{ command: shell(magentoSettings(shopAdmin, adminSettings)) }],
        },
        reddit: {
          image: "postmill-populated-exposed-withimg",
          ports: [place.published(ports.reddit, 80)],
        },
        gitlab: gitlabService(gitlab, place),
        wikipedia: {
          image: "ghcr.io/kiwix/kiwix-serve:3.3.0",
          command: ["wikipedia_en_all_maxi_2022-05.zim"],
          ports: [place.published(ports.wikipedia, 80)],
          volumes: ["./wikipedia:/data:ro"],
        },
        ...mapServices(place, ports.map),
      },
      volumes: mapVolumes,
      configs: { "map-proxy": { content: proxyConfig } },
    },
    sites: {
      shopping: { url: shop, isChangeable: true },
      shopping_admin: { url: `${shopAdmin}/admin`, isChangeable: true },
      reddit: { url: place.urlOf("reddit", ports.reddit), isChangeable: true },
      gitlab: { url: gitlab, isChangeable: true },
      wikipedia: { url: place.urlOf("wikipedia", ports.wikipedia, landing), isChangeable: false },
      map: { url: map, isChangeable: false },
    },
    dataFolders: ["wikipedia", ...mapData],
  };
}

/** Administrators would otherwise have to choose a new password. */
const adminSettings = [
  `${magento} config:set admin/security/password_is_forced 0`,
  `${magento} config:set admin/security/password_lifetime 0`,
];

/** Magento redirects to the base URL in its database, which is a server of the benchmark's authors. */
function magentoSettings(url: string, more: readonly string[] = []): string[] {
  return [
    `for second in $(seq 300); do ${mysql} -e 'SELECT 1' >/dev/null 2>&1 && break; sleep 1; done`,
    ...more,
    `${magento} setup:store-config:set --base-url=${url}`,
    `${mysql} -e "UPDATE core_config_data SET value = '${url}/' WHERE path = 'web/secure/base_url'"`,
    `${magento} cache:flush`,
  ];
}

function gitlabService(url: string, place: Place): Service {
  const settings = "/etc/gitlab/gitlab.rb";
  return {
    image: "gitlab-populated-final-port8023",
    // The image has the PID file of a PostgreSQL that ran when the image was made. With it, PostgreSQL may not start.
    command: shell([
      "rm -f /var/opt/gitlab/postgresql/data/postmaster.pid",
      "exec /opt/gitlab/embedded/bin/runsvdir-start",
    ]),
    ports: [place.published(ports.gitlab, 8023)],
    shm_size: "2gb",
    post_start: [
      {
        command: shell([
          "for attempt in $(seq 120); do gitlab-ctl status >/dev/null 2>&1 && break; sleep 5; done",
          `sed -i "s|^external_url.*|external_url '${url}'|" ${settings}`,
          // By default, GitLab starts a worker for each core of the machine.
          `grep -q "^puma\\['worker_processes'\\]" ${settings} || echo "puma['worker_processes'] = 4" >> ${settings}`,
          "gitlab-ctl reconfigure",
        ]),
      },
    ],
  };
}
