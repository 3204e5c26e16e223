/**
 * All BabyAI levels of MiniGrid by name, in the order in which MiniGrid registers the levels. The name is the id
 * without "BabyAI-" and "-v0". GoToObjS6 has two versions and keeps the suffix: MiniGrid up to 2.3.1 has GoToObjS6-v0,
 * which by mistake has the rooms of GoToObjS4. MiniGrid 2.4.0 and later have GoToObjS6-v1.
 */
import { Color } from "../codes.js";
import type { Level, LevelRules } from "../level.js";
import * as goto from "./goto.js";
import { levelGen } from "./level-gen.js";
import * as open from "./open.js";
import * as other from "./other.js";
import * as pickup from "./pickup.js";
import * as putnext from "./putnext.js";
import * as unlock from "./unlock.js";

const goToSeq = { actionKinds: ["goto"], lockedRoomProb: 0, locations: false, unblocking: false } as const;
const synth = { instrKinds: ["action"], locations: false, implicitUnlock: false } as const;

const rules: Record<string, LevelRules> = {
  GoToRedBallGrey: goto.goToRedBall({ grey: true }),
  GoToRedBall: goto.goToRedBall(),
  GoToRedBallNoDists: goto.goToRedBall({ numDists: 0 }),
  GoToObj: goto.goToObj(),
  GoToObjS4: goto.goToObj({ roomSize: 4 }),
  "GoToObjS6-v0": goto.goToObj({ roomSize: 4 }),
  "GoToObjS6-v1": goto.goToObj({ roomSize: 6 }),
  GoToLocal: goto.goToLocal(),
  GoToLocalS5N2: goto.goToLocal({ roomSize: 5, numDists: 2 }),
  GoToLocalS6N2: goto.goToLocal({ roomSize: 6, numDists: 2 }),
  GoToLocalS6N3: goto.goToLocal({ roomSize: 6, numDists: 3 }),
  GoToLocalS6N4: goto.goToLocal({ roomSize: 6, numDists: 4 }),
  GoToLocalS7N4: goto.goToLocal({ roomSize: 7, numDists: 4 }),
  GoToLocalS7N5: goto.goToLocal({ roomSize: 7, numDists: 5 }),
  GoToLocalS8N2: goto.goToLocal({ numDists: 2 }),
  GoToLocalS8N3: goto.goToLocal({ numDists: 3 }),
  GoToLocalS8N4: goto.goToLocal({ numDists: 4 }),
  GoToLocalS8N5: goto.goToLocal({ numDists: 5 }),
  GoToLocalS8N6: goto.goToLocal({ numDists: 6 }),
  GoToLocalS8N7: goto.goToLocal({ numDists: 7 }),
  GoTo: goto.goTo(),
  GoToOpen: goto.goTo({ doorsOpen: true }),
  GoToObjMaze: goto.goTo({ numDists: 1 }),
  GoToObjMazeOpen: goto.goTo({ numDists: 1, doorsOpen: true }),
  GoToObjMazeS4R2: goto.goTo({ numDists: 1, roomSize: 4, rows: 2, cols: 2 }),
  GoToObjMazeS4: goto.goTo({ numDists: 1, roomSize: 4 }),
  GoToObjMazeS5: goto.goTo({ numDists: 1, roomSize: 5 }),
  GoToObjMazeS6: goto.goTo({ numDists: 1, roomSize: 6 }),
  GoToObjMazeS7: goto.goTo({ numDists: 1, roomSize: 7 }),
  GoToImpUnlock: goto.goToImpUnlock(),
  GoToSeq: levelGen(goToSeq),
  GoToSeqS5R2: levelGen({ ...goToSeq, roomSize: 5, rows: 2, cols: 2, numDists: 4 }),
  GoToRedBlueBall: goto.goToRedBlueBall(),
  GoToDoor: goto.goToDoor(),
  GoToObjDoor: goto.goToObjDoor(),
  Open: open.open(),
  OpenRedDoor: open.openRedDoor(),
  OpenDoor: open.openDoor(),
  OpenDoorDebug: open.openDoor({ debug: true }),
  OpenDoorColor: open.openDoor({ selectBy: "color" }),
  OpenDoorLoc: open.openDoor({ selectBy: "loc" }),
  OpenTwoDoors: open.openTwoDoors(),
  OpenRedBlueDoors: open.openTwoDoors({ firstColor: Color.red, secondColor: Color.blue }),
  OpenRedBlueDoorsDebug: open.openTwoDoors({ firstColor: Color.red, secondColor: Color.blue, strict: true }),
  OpenDoorsOrderN2: open.openDoorsOrder({ numDoors: 2 }),
  OpenDoorsOrderN4: open.openDoorsOrder({ numDoors: 4 }),
  OpenDoorsOrderN2Debug: open.openDoorsOrder({ numDoors: 2, debug: true }),
  OpenDoorsOrderN4Debug: open.openDoorsOrder({ numDoors: 4, debug: true }),
  Pickup: pickup.pickup(),
  UnblockPickup: pickup.unblockPickup(),
  PickupLoc: levelGen({
    actionKinds: ["pickup"],
    instrKinds: ["action"],
    lockedRoomProb: 0,
    unblocking: false,
    rows: 1,
    cols: 1,
    numDists: 8,
  }),
  PickupDist: pickup.pickupDist(),
  PickupDistDebug: pickup.pickupDist({ debug: true }),
  PickupAbove: pickup.pickupAbove(),
  PutNextLocal: putnext.putNextLocal(),
  PutNextLocalS5N3: putnext.putNextLocal({ roomSize: 5, numObjs: 3 }),
  PutNextLocalS6N4: putnext.putNextLocal({ roomSize: 6, numObjs: 4 }),
  PutNextS4N1: putnext.putNext({ roomSize: 4, objsPerRoom: 1 }),
  PutNextS5N2: putnext.putNext({ roomSize: 5, objsPerRoom: 2 }),
  PutNextS5N1: putnext.putNext({ roomSize: 5, objsPerRoom: 1 }),
  PutNextS6N3: putnext.putNext({ roomSize: 6, objsPerRoom: 3 }),
  PutNextS7N4: putnext.putNext({ roomSize: 7, objsPerRoom: 4 }),
  PutNextS5N2Carrying: putnext.putNext({ roomSize: 5, objsPerRoom: 2, startCarrying: true }),
  PutNextS6N3Carrying: putnext.putNext({ roomSize: 6, objsPerRoom: 3, startCarrying: true }),
  PutNextS7N4Carrying: putnext.putNext({ roomSize: 7, objsPerRoom: 4, startCarrying: true }),
  Unlock: unlock.unlock(),
  UnlockLocal: unlock.unlockLocal(),
  UnlockLocalDist: unlock.unlockLocal({ distractors: true }),
  KeyInBox: unlock.keyInBox(),
  UnlockPickup: unlock.unlockPickup(),
  UnlockPickupDist: unlock.unlockPickup({ distractors: true }),
  BlockedUnlockPickup: unlock.blockedUnlockPickup(),
  UnlockToUnlock: unlock.unlockToUnlock(),
  ActionObjDoor: other.actionObjDoor(),
  FindObjS5: other.findObj(),
  FindObjS6: other.findObj({ roomSize: 6 }),
  FindObjS7: other.findObj({ roomSize: 7 }),
  KeyCorridor: other.keyCorridor(),
  KeyCorridorS3R1: other.keyCorridor({ roomSize: 3, rows: 1 }),
  KeyCorridorS3R2: other.keyCorridor({ roomSize: 3, rows: 2 }),
  KeyCorridorS3R3: other.keyCorridor({ roomSize: 3, rows: 3 }),
  KeyCorridorS4R3: other.keyCorridor({ roomSize: 4, rows: 3 }),
  KeyCorridorS5R3: other.keyCorridor({ roomSize: 5, rows: 3 }),
  KeyCorridorS6R3: other.keyCorridor({ roomSize: 6, rows: 3 }),
  OneRoomS8: other.oneRoom(),
  OneRoomS12: other.oneRoom({ roomSize: 12 }),
  OneRoomS16: other.oneRoom({ roomSize: 16 }),
  OneRoomS20: other.oneRoom({ roomSize: 20 }),
  MoveTwoAcrossS5N2: other.moveTwoAcross({ roomSize: 5, objsPerRoom: 2 }),
  MoveTwoAcrossS8N9: other.moveTwoAcross({ roomSize: 8, objsPerRoom: 9 }),
  Synth: levelGen(synth),
  SynthS5R2: levelGen({ ...synth, roomSize: 5, rows: 2 }),
  SynthLoc: levelGen({ ...synth, locations: true }),
  SynthSeq: levelGen({ implicitUnlock: false }),
  MiniBossLevel: levelGen({ rows: 2, cols: 2, roomSize: 5, numDists: 7, lockedRoomProb: 0.25 }),
  BossLevel: levelGen(),
  BossLevelNoUnlock: levelGen({ lockedRoomProb: 0, implicitUnlock: false }),
};

export const levels: ReadonlyMap<string, Level> = new Map(
  Object.entries(rules).map(([name, rule]) => [name, { ...rule, name, id: idOf(name) }]),
);

function idOf(name: string): string {
  return `BabyAI-${/-v\d$/.test(name) ? name : `${name}-v0`}`;
}
