import { setTimeout as pause } from 'node:timers/promises';

/** The next member falls at a random moment within this time after the last is back. */
const LONGEST_PEACE_MS = 1500;

/**
 * Kills one or two members of the fleet at random (SIGKILL) and starts them again, over and over until `wanted` were killed; how often each
 * kind was.
 */
export async function killAtRandom(fleet, wanted) {
  const kills = { gateway: 0, worker: 0 };
  while (kills.gateway + kills.worker < wanted) {
    await pause(Math.random() * LONGEST_PEACE_MS);
    const struck = fleet.members
      .map((member) => ({ member, lot: Math.random() }))
      .toSorted((a, b) => a.lot - b.lot)
      .slice(0, Math.random() < 0.5 ? 1 : 2);
    await Promise.all(
      struck.map(async ({ member }) => {
        kills[member.kind] += 1;
        await member.kill();
        await member.start();
      }),
    );
  }
  return kills;
}
