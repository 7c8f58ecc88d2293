import type { S3Peer } from '../../peers/s3-peer.js';
import type { CommandGround, CommandRow } from './command-row.js';

/** A ground whose photos lie in a bucket with versions; one of them was lost. */
export type RewindGround = CommandGround & { readonly store: S3Peer; readonly lost: string };

export const REWIND_ROWS: readonly CommandRow<RewindGround>[] = [
  {
    name: 'objects rewind',
    call: () => ['--to', new Date().toISOString()],
    effect(out, { store, lost }) {
      expect(out).toMatch(new RegExp(`^objects +[1-9]\\d*\nbrought back +1 ${lost}\n`));
      expect(store.objects.has(lost)).toBe(true);
    },
    refused: {
      call: () => ['--to', '2026-11-23T11:42:00Z'],
      variables: () => ({ SUTURA_STORAGE: 'local' }),
      code: 1,
      says: 'which keeps no earlier versions. Nothing was changed. Bring them back with npm run restore',
    },
  },
];
