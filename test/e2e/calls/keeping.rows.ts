import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient } from '../../support/api-client.js';
import type { CommandGround, CommandRow } from './command-row.js';

/** A ground whose gateway has its own database and objects, with one analysed photo. */
export type KeepingGround = CommandGround & {
  readonly client: ApiClient;
  readonly imageId: string;
  readonly made: { firstKey: string };
};

type Row = CommandRow<KeepingGround>;

const keyFile = ({ gateway }: KeepingGround) => join(gateway.dataDir, 'encryption.keys');
const keyIds = async (ground: KeepingGround): Promise<string[]> =>
  (await readFile(keyFile(ground), 'utf8')).split('\n').flatMap((line) => /^([^#\s]\S*) \S/.exec(line)?.[1] ?? []);
/** The keys come from a program, whose output no command can change. */
const byProgram = (ground: KeepingGround) => ({ SUTURA_ENCRYPTION_KEY_COMMAND: `cat ${keyFile(ground)}` });
const notOurs = 'The keys come from SUTURA_ENCRYPTION_KEY_COMMAND. Nothing was changed.';
const withoutFile = (ground: KeepingGround) => ({ SUTURA_ENCRYPTION_KEY_FILE: ground.file('no-keys') });

/** The photo is read by the running gateway, in whichever key it lies. */
async function expectReadable({ client, imageId }: KeepingGround): Promise<void> {
  const answer = await client.request('GET', `/api/v1/images/${imageId}`);
  expect([answer.status, answer.body?.status]).toEqual([200, 'stored']);
}

const encryption: readonly Row[] = [
  {
    name: 'encryption status',
    call: () => [],
    async effect(out, ground) {
      [ground.made.firstKey] = (await keyIds(ground)) as [string];
      expect(out).toMatch(new RegExp(`^${ground.made.firstKey} +current, [1-9]\\d* objects, HL7 messages\n`));
      expect(out).toMatch(/not encrypted +0 objects\naltered +0\n$/);
    },
    refused: { call: () => [], variables: withoutFile, code: 1, says: 'no-keys' },
  },
  {
    name: 'encryption rotate',
    call: () => [],
    async effect(out, ground) {
      const [next, first] = await keyIds(ground);
      expect([first, next === first]).toEqual([ground.made.firstKey, false]);
      expect(out).toMatch(new RegExp(`^current key +${next}\nobjects rewrapped +[1-9]\\d*\n`));
      await expectReadable(ground);
    },
    refused: { call: () => [], variables: byProgram, code: 1, says: notOurs, after: true },
  },
  {
    name: 'encryption rewrap',
    call: () => [],
    effect: (out) => expect(out).toMatch(/\nobjects rewrapped +0\n[^]*\nhad it already +[1-9]\d*\nnot readable +0\n/),
    refused: { call: () => [], variables: withoutFile, code: 1, says: 'no-keys' },
  },
  {
    name: 'encryption retire',
    call: ({ made }) => ['--key', made.firstKey],
    async effect(_, ground) {
      expect(await keyIds(ground)).not.toContain(ground.made.firstKey);
      await expectReadable(ground);
    },
    refused: { call: () => ['--key', 'nobody'], code: 1, says: 'The key file has no key nobody.' },
  },
];

const copies: readonly Row[] = [
  {
    name: 'database migrate',
    call: () => [],
    effect: (out) => expect(out).toBe('Nothing to do.\n'),
    refused: {
      call: () => [],
      variables: () => ({ DATABASE_URL: 'no address' }),
      code: 1,
      says: 'DATABASE_URL',
    },
  },
  {
    name: 'objects verify',
    call: () => [],
    effect: (out) => expect(out).toMatch(/^objects +[1-9]\d*\nobjects missing +0\nobjects changed +0\n/),
    refused: { call: () => ['--to', 'now'], code: 2, says: "Unknown option '--to'" },
  },
  {
    name: 'backup',
    call: (ground) => ['--out', ground.file('backup')],
    async effect(out, ground) {
      expect(out).toMatch(/^back-up +\S+\n/);
      expect(await readdir(ground.file('backup'))).toEqual(expect.arrayContaining(['manifest.json', 'SHA256SUMS']));
    },
    refused: { call: (ground) => ['--out', ground.file('backup')], code: 1, says: 'exists already', after: true },
  },
  {
    name: 'restore',
    call: (ground) => ['--from', ground.file('backup'), '--encryption-keys', keyFile(ground)],
    variables: (ground) => ({ SUTURA_DATA_DIR: ground.file('restored') }),
    effect(out, ground) {
      expect(out).toMatch(
        /^restored to +\S+\n[^]*breaks of the audit chain +0\nobjects +[1-9]\d*\nobjects missing +0\n/,
      );
      expect(existsSync(join(ground.file('restored'), 'postgres'))).toBe(true);
    },
    refused: {
      call: (ground) => ['--from', ground.file('backup'), '--encryption-keys', keyFile(ground)],
      code: 1,
      says: 'is not empty',
      leaves: expectReadable,
    },
  },
];

export const KEEPING_ROWS: readonly Row[] = [...encryption, ...copies];
