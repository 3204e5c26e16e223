/** Tasks in the administration of the shop. */

import type { Template } from "../common/template.js";
import { adminCatalogTemplates } from "./catalog.js";
import { adminFindTemplates } from "./find.js";
import { adminNavigateTemplates } from "./navigate.js";
import { adminOrderTemplates } from "./orders.js";

export const adminTemplates: readonly Template[] = [
  ...adminFindTemplates,
  ...adminNavigateTemplates,
  ...adminCatalogTemplates,
  ...adminOrderTemplates,
];
