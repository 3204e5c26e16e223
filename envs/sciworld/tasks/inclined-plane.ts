/**
 * Inclined planes: their angles, and the friction of known and of unknown surfaces (9-1 to 9-3): not played yet. The
 * original draws nothing as it makes them, but from generators of their own.
 */
import type { Turn } from "./task.js";

export const inclinedPlanes: readonly Turn[] = [];
