import { FairShare } from './fair-share.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** What is made of a body of this length or less takes milliseconds, and never waits. */
export const SMALL_BODY_BYTES = 256 * KIB;

/**
 * The large bodies that this process works on, whatever door they came by. Each is in memory several times over: as bytes, as text, as
 * values, as bytes of a photo.
 */
export const largeBodies = new FairShare({
  places: 4,
  placesOfOne: 2,
  bytes: 48 * MIB,
  waitingOfOne: 16,
  patienceMs: 15_000,
});
