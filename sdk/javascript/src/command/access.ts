import { createHash, createHmac } from 'node:crypto';
import { SuturaClient } from '../client.js';
import { connectionOf } from '../connection-of.js';
import type { Connection } from '../connection.js';
import { readKey } from '../settings.js';
import { Failure, Misuse } from './misuse.js';

const KEY = /sut_(?:test|live)_\w+/;
const KEY_SHOWN =
  'A key was on the command line, where the history of the shell and the list of processes keep it: revoke that key, and give one by the variable SUTURA_API_KEY.';

/** What a command asks with. */
export interface Access {
  readonly client: SuturaClient;
  readonly connection: Connection;
  /** Whether the key says that it is of the test environment. Any other counts as live. */
  readonly isTest: boolean;
  /** Of service, key and the receiver to which it forwards, for a file: tells two apart and says none of them. */
  readonly fingerprintOf: (receiver: URL) => string;
  /** Of webhooks that this command signs, `whsec_…`: the same for the same key, and nothing leads from it to the key. */
  readonly signingSecret: string;
}

/** Misuse for a key among the words: whoever sees them has it. */
export function refuseKeys(words: readonly string[]): void {
  if (words.some((word) => KEY.test(word))) throw new Misuse(KEY_SHOWN);
}

/** By SUTURA_API_KEY, and the address given or SUTURA_BASE_URL. ConfigurationError where they cannot work. */
export function openAccess(url: string | undefined): Access {
  const key = readKey({});
  const baseUrl = url ?? localUrl();
  const client = new SuturaClient({ apiKey: key, ...(baseUrl === undefined ? {} : { baseUrl }) });
  const digest = createHmac('sha256', key).update('sutura listen: signing secret').digest('base64');
  return {
    client,
    connection: connectionOf(client),
    isTest: key.startsWith('sut_test_'),
    fingerprintOf: ({ href }) =>
      createHash('sha256').update(`${client.baseUrl}\n${key}\n${href}`).digest('hex').slice(0, 16),
    signingSecret: `whsec_${digest}`,
  };
}

/** Where SUTURA_BASE_URL says nothing, the gateway of this machine is at PORT, if that is set: `npm start` listens there. */
function localUrl(): string | undefined {
  const { SUTURA_BASE_URL: base = '', PORT: port = '' } = process.env;
  return base === '' && /^\d+$/.test(port) ? `http://127.0.0.1:${port}` : undefined;
}

/** Failure for a live key: the command makes records that nobody is to take for a patient's. */
export function requireTest({ isTest }: Access, does: string): void {
  if (!isTest)
    throw new Failure(
      `${does}, and the key in SUTURA_API_KEY is not one of the test environment (sut_test_…). Nothing was sent. There is no option that allows it.`,
    );
}

/** Failure for a live key that `--live` does not go with. */
export function requireSaid({ isTest }: Access, isLiveSaid: boolean, shows: string): void {
  if (!isTest && !isLiveSaid)
    throw new Failure(
      `The key in SUTURA_API_KEY is not one of the test environment (sut_test_…), and ${shows} of real patients. Add --live if that is what you want.`,
    );
}
