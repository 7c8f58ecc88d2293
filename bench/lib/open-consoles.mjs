import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 15_000;
/** What the console's first page reads again and again while it is open (web/src/console/first/first-page.tsx). */
const FIRST_PAGE = [
  '/hl7/messages?direction=in&state=failed&limit=100',
  '/hl7/messages?direction=in&state=sealed&limit=100',
  '/deliveries?state=parked&limit=100',
  '/hl7/listeners',
  '/hl7/destinations',
  '/deliveries/endpoints',
];

/** So many first pages of the console, as they are open in browsers, each begun at another moment. Answers how to close them. */
export function openConsoles(gateway, count) {
  const ending = new AbortController();
  const { signal } = ending;
  const open = async (turn) => {
    await pause((turn * EVERY_MS) / count, undefined, { signal });
    while (!signal.aborted) {
      await Promise.all(FIRST_PAGE.map((path) => gateway.admin('GET', path)));
      await pause(EVERY_MS, undefined, { signal });
    }
  };
  const consoles = Array.from({ length: count }, (_, turn) =>
    open(turn).catch((fault) => {
      if (!signal.aborted) throw fault;
    }),
  );
  return {
    /** Fails where a page was refused something meanwhile. */
    async close() {
      ending.abort();
      await Promise.all(consoles);
    },
  };
}
