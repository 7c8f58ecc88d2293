// What the demos need to reach a running gateway.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NetworkError, SuturaError } from '../sdk/javascript/dist/index.mjs';

/** The longest wait for a gateway that is not ready yet. */
const PREPARING_MS = 60_000;

/** A demo cannot go on; the message says why. */
export class DemoFailure extends Error {}

export const ACCESS_USAGE = `The key: --key, else SUTURA_API_KEY, else the demo key that the gateway kept in its data folder at its first start.
The address: --url, else SUTURA_BASE_URL, else http://127.0.0.1:PORT (3000).
`;

export function findBaseUrl(given) {
  return given ?? process.env.SUTURA_BASE_URL ?? `http://127.0.0.1:${process.env.PORT ?? '3000'}`;
}

export async function findKey(given) {
  const key = given ?? process.env.SUTURA_API_KEY;
  if (key !== undefined && key !== '') return key;
  const file = join(process.env.SUTURA_DATA_DIR ?? '.data', 'demo-key');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    throw new DemoFailure(
      `No key: give --key or SUTURA_API_KEY, or start the gateway once so that it leaves its demo key in ${file}.`,
    );
  }
}

/** As fetch, and again after Retry-After where the gateway is not ready yet: at the first look over FHIR it writes its resources first. */
export async function fetchPrepared(url, init) {
  const end = Date.now() + PREPARING_MS;
  for (;;) {
    const answer = await fetch(url, init);
    const seconds = Number(answer.headers.get('retry-after') ?? 1);
    if (answer.status !== 503 || Date.now() + seconds * 1000 > end) return answer;
    await answer.body?.cancel();
    await pause(seconds * 1000);
  }
}

/** What to say of a failure: the library and the system say it themselves. */
function toMessage(fault) {
  if (fault instanceof NetworkError) return `${fault.message} "npm start" starts it.`;
  if (fault instanceof SuturaError || fault instanceof DemoFailure) return fault.message;
  if (fault?.syscall !== undefined) return `${fault.path ?? 'The file'} cannot be read or written (${fault.code}).`;
  return fault?.stack ?? String(fault);
}

/** Runs a demo to its exit code: 0 done, 1 failed, 2 called wrongly. */
export async function runDemo(main, usage) {
  process.exitCode = await main().catch((fault) => {
    const isMisuse = fault?.code?.startsWith?.('ERR_PARSE_ARGS');
    process.stderr.write(isMisuse ? `${fault.message}\n\n${usage}` : `${toMessage(fault)}\n`);
    return isMisuse ? 2 : 1;
  });
}
