/** Tasks on the map. */

import type { Template } from "../common/template.js";
import { mapPlaceTemplates } from "./places.js";
import { mapRouteTemplates } from "./routes.js";
import { mapSearchTemplates } from "./search.js";

export const mapTemplates: readonly Template[] = [...mapPlaceTemplates, ...mapRouteTemplates, ...mapSearchTemplates];
