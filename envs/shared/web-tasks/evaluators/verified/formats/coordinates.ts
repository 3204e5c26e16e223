/** Positions by latitude and longitude in degrees. The parser accepts the same texts as the package geopy. */
import { isDict, isList, isNumeric, isTruthy, type PyDict, type PyValue, pyFloat } from "../python/value.js";
import type { Format } from "./format.js";
import { plainText } from "./plain-text.js";

interface Coordinates {
  latitude: number;
  longitude: number;
}

/** Tolerance in degrees: about one meter on the ground. */
const tolerance = 1e-5;

/** Format of coordinates. As in WebArena-Verified, the comparison uses only the first alternative. */
export const coordinates: Format<Coordinates> = {
  read(value, { sites }) {
    if (!isTruthy(value)) return undefined;
    if (typeof value === "string") return ofText(plainText(value, sites));
    if (isList(value)) return value.length === 2 ? ofNumbers(value[0] as PyValue, value[1] as PyValue) : undefined;
    return isDict(value) ? ofDict(value) : undefined;
  },
  readList([latitude = null, longitude = null, ...more]) {
    return more.length === 0 ? ofNumbers(latitude, longitude) : undefined;
  },
  isMatch: ([one], [other]) =>
    one !== undefined &&
    other !== undefined &&
    Math.abs(one.latitude - other.latitude) <= tolerance &&
    Math.abs(one.longitude - other.longitude) <= tolerance,
};

function ofDict(dict: PyDict): Coordinates | undefined {
  const find = (isKey: (key: string) => boolean) => [...dict].find(([key]) => isKey(key.toLowerCase()))?.[1];
  const latitude = find((key) => key.length > 1 && "latitude".startsWith(key));
  const longitude = find((key) => key === "lng" || (key.length > 1 && "longitude".startsWith(key)));
  return latitude === undefined || longitude === undefined ? undefined : ofNumbers(latitude, longitude);
}

function ofNumbers(latitude: PyValue, longitude: PyValue): Coordinates | undefined {
  const [one, other] = [latitude, longitude].map(degrees);
  return one === undefined || other === undefined ? undefined : checked(one, other);
}

function degrees(value: PyValue): number | undefined {
  if (isNumeric(value)) return Number(value);
  if (typeof value !== "string") return undefined;
  return value === "" ? 0 : pyFloat(value);
}

function checked(latitude: number, longitude: number): Coordinates | undefined {
  if (!Number.isFinite(longitude) || !(Math.abs(latitude) <= 90)) return undefined;
  const turn = longitude % 360;
  const normal = turn < -180 ? turn + 360 : turn >= 180 ? turn - 360 : turn;
  return { latitude, longitude: Math.abs(longitude) > 180 ? normal : longitude };
}

// Plain texts have no directions (`N`, `W`) and no degree signs, so that only numbers, minutes and seconds remain.
const angle = (name: string) =>
  `(?<${name}>[+-]?\\d+(?:\\.\\d+)?)(?:[*\\s] *(?:(?<${name}Minutes>\\d+(?:\\.\\d+)?)['m] *)?(?:(?<${name}Seconds>\\d+(?:\\.\\d+)?)["s] *)?)?`;
const point = new RegExp(
  `${angle("latitude")}\\s*[,;/\\s]\\s*${angle("longitude")}(?:\\s*[,;/\\s]\\s*[+-]?\\d+(?:\\.\\d+)? *(?:km|m|mi|ft|nm|nmi))?\\s*$`,
);
const longestPoint = 200;

function ofText(text: string): Coordinates | undefined {
  const groups = text.length > longestPoint ? undefined : point.exec(text.replaceAll("''", '"'))?.groups;
  if (!groups) return undefined;
  const [latitude, longitude] = ["latitude", "longitude"].map((name) => {
    const whole = Number(groups[name]);
    const part = Number(groups[`${name}Minutes`] ?? 0) / 60 + Number(groups[`${name}Seconds`] ?? 0) / 3600;
    return whole < 0 ? whole - part : whole + part;
  }) as [number, number];
  return checked(latitude, longitude);
}
