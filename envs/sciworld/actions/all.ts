/** All actions, sorted by number and name. */
import { byCodeUnits } from "../engine/description.js";
import type { Simplification } from "../engine/simplifications.js";
import type { Action } from "./action.js";
import { deviceActions } from "./devices.js";
import { goingActions, oracleActions } from "./going.js";
import { lookingActions } from "./looking.js";
import { movingActions } from "./moving.js";
import { openingActions } from "./opening.js";
import { otherActions } from "./others.js";
import { wiringActions } from "./wiring.js";

const usual = [
  ...openingActions,
  ...goingActions,
  ...lookingActions,
  ...deviceActions,
  ...movingActions,
  ...otherActions,
];

export function actionsWith(simplifications: ReadonlySet<Simplification>): readonly Action[] {
  const wiring = simplifications.has("noElectricalAction") ? [] : wiringActions;
  const oracle = simplifications.has("teleportAction") ? oracleActions : [];
  const all = [...usual, ...wiring, ...oracle];
  return all.sort((one, other) => one.id - other.id || byCodeUnits(one.name, other.name));
}
