import { createHash } from 'node:crypto';
import type pg from 'pg';
import { rewindObjects, type ObjectVersions } from './rewind-objects.js';

const MOMENT = new Date('2026-11-23T11:42:00Z');
const at = (minutes: number): Date => new Date(MOMENT.getTime() + minutes * 60_000);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What was done to one object, oldest first: minutes from the moment, and the bytes; null: deleted. */
type History = readonly (readonly [number, string | null])[];

describe('a bucket that is brought to a moment', () => {
  const bucket = (histories: Readonly<Record<string, History>>) => {
    const did = { read: [] as string[], broughtBack: [] as string[] };
    const store: ObjectVersions = {
      async *list() {
        for (const [objectKey, history] of Object.entries(histories)) {
          const versions = history.map(([minutes, text], index) => ({
            id: String(index),
            writtenAt: at(minutes),
            isDeletion: text === null,
          }));
          yield await Promise.resolve({ objectKey, versions: versions.toReversed() });
        }
      },
      read: (objectKey, id) => {
        did.read.push(objectKey);
        return Promise.resolve(Buffer.from(histories[objectKey]![Number(id)]![1]!));
      },
      bringBack: (objectKey, id) => {
        did.broughtBack.push(`${objectKey} ${id}`);
        return Promise.resolve();
      },
    };
    return { store, did };
  };
  /** A database that names these objects. */
  const naming = (objects: Readonly<Record<string, string | null>>, drawnAgain = false): pg.Client => {
    const rows = Object.entries(objects).map(([key, digest]) => ({ key, sha256: digest, drawnAgain }));
    return { query: () => Promise.resolve({ rows }) } as unknown as pg.Client;
  };

  it('has deletions and overwritings undone, by the digest', async () => {
    const { store, did } = bucket({
      deleted: [[-9, 'photo'], [5, null]], // prettier-ignore
      overwritten: [[-9, 'mask'], [5, 'ruin']], // prettier-ignore
    });
    const client = naming({ deleted: sha256('photo'), overwritten: sha256('mask') });
    expect(await rewindObjects(client, store, MOMENT, false)).toEqual({
      named: 2,
      broughtBack: ['deleted', 'overwritten'],
      notFound: [],
    });
    expect(did.broughtBack).toEqual(['deleted 0', 'overwritten 0']);
  });

  it('has no digest that an older release did not keep: then the version of the moment counts', async () => {
    const { store, did } = bucket({
      overwritten: [[-9, 'first'], [-1, 'second'], [5, 'ruin']], // prettier-ignore
      gone: [[-9, 'first'], [-1, null], [5, 'ruin']], // prettier-ignore
      late: [[5, 'ruin']],
    });
    const client = naming({ overwritten: null, gone: null, late: null });
    expect(await rewindObjects(client, store, MOMENT, false)).toMatchObject({ notFound: ['gone', 'late'] });
    expect(did.broughtBack).toEqual(['overwritten 1']);
  });

  it('leaves alone, and does not read, what was last written before, and what the database does not name', async () => {
    const { store, did } = bucket({ untouched: [[-9, 'photo']], other: [[-9, 'photo'], [5, null]] }); // prettier-ignore
    expect(await rewindObjects(naming({ untouched: sha256('photo') }), store, MOMENT, false)).toEqual({
      named: 1,
      broughtBack: [],
      notFound: [],
    });
    expect(did).toEqual({ read: [], broughtBack: [] });
  });

  it('finds the right version where the store’s clock is ahead, and one whose bytes were replaced before', async () => {
    const { store, did } = bucket({
      ahead: [[1, 'photo'], [5, 'ruin']], // prettier-ignore
      stands: [[1, 'photo']],
      ruinedBefore: [[-9, 'photo'], [-1, 'ruin'], [5, null]], // prettier-ignore
    });
    const digest = sha256('photo');
    const client = naming({ ahead: digest, stands: digest, ruinedBefore: digest });
    expect(await rewindObjects(client, store, MOMENT, false)).toMatchObject({ notFound: [] });
    expect(did.broughtBack).toEqual(['ahead 0', 'ruinedBefore 0']);
  });

  it('may be repeated: what was brought back, or put back by hand, stands', async () => {
    const { store, did } = bucket({
      photo: [[-9, 'photo'], [5, null], [6, 'photo']], // prettier-ignore
      mask: [[-9, 'mask'], [5, 'ruin'], [6, 'mask']], // prettier-ignore
    });
    const client = naming({ photo: sha256('photo'), mask: null });
    expect(await rewindObjects(client, store, MOMENT, false)).toMatchObject({ broughtBack: [], notFound: [] });
    expect(did.broughtBack).toEqual([]);
  });

  it('names what no version helps, and does not ask for overlays, which are drawn again', async () => {
    const { store } = bucket({ lost: [[-9, 'ruin'], [5, null]] }); // prettier-ignore
    const objects = { lost: sha256('photo'), never: sha256('mask') };
    expect(await rewindObjects(naming(objects), store, MOMENT, false)).toMatchObject({ notFound: ['lost', 'never'] });
    expect(await rewindObjects(naming(objects, true), store, MOMENT, false)).toMatchObject({ notFound: [] });
  });

  it('is not touched by a trial, which names the same objects', async () => {
    const { store, did } = bucket({ deleted: [[-9, 'photo'], [5, null]] }); // prettier-ignore
    const client = naming({ deleted: sha256('photo') });
    expect(await rewindObjects(client, store, MOMENT, true)).toMatchObject({ broughtBack: ['deleted'] });
    expect(did.broughtBack).toEqual([]);
  });
});
