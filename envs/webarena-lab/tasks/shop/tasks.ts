/** Tasks in the shop. */

import type { Template } from "../common/template.js";
import { shopAccountTemplates } from "./account.js";
import { shopBuyTemplates } from "./buy.js";
import { shopFindTemplates } from "./find.js";
import { shopNavigateTemplates } from "./navigate.js";

export const shopTemplates: readonly Template[] = [
  ...shopFindTemplates,
  ...shopNavigateTemplates,
  ...shopBuyTemplates,
  ...shopAccountTemplates,
];
