import { createHash } from 'node:crypto';
import type pg from 'pg';
import { NamedObjects, type Named } from './named-objects.js';

interface Version {
  readonly id: string;
  /** By the store's clock. */
  readonly writtenAt: Date;
  readonly isDeletion: boolean;
}

/** A store that keeps earlier versions of its objects. */
export interface ObjectVersions {
  /** The newest version first. */
  list(): AsyncIterable<{ readonly objectKey: string; readonly versions: readonly Version[] }>;
  read(objectKey: string, versionId: string): Promise<Uint8Array>;
  /** Makes it the newest version. */
  bringBack(objectKey: string, versionId: string): Promise<void>;
}

export interface ObjectRewind {
  /** How many the database names. */
  readonly named: number;
  /** Keys whose version of the moment was made the newest again, or would be. */
  readonly broughtBack: readonly string[];
  /** Keys that have no version of the moment; where the digest is known, none with it. */
  readonly notFound: readonly string[];
}

/** Some stores have a resolution of seconds. */
const CLOCK_STEP_MS = 1000;

/**
 * Brings each object that the database names to the version of `moment`, where it was deleted or overwritten since.
 * Objects that the database does not name are left alone. Which version is right the digest says where there is one, so
 * that clocks of store and database need not agree; an object that was last written before `moment` is not read.
 * @param isTrial writes nothing
 */
export async function rewindObjects(
  client: pg.Client,
  store: ObjectVersions,
  moment: Date,
  isTrial: boolean,
): Promise<ObjectRewind> {
  const { objects } = await NamedObjects.read(client);
  const sought = new Map(objects.map((object) => [object.key, object]));
  const broughtBack: string[] = [];
  const notFound: string[] = [];
  for await (const { objectKey, versions } of store.list()) {
    const object = sought.get(objectKey);
    if (object === undefined) continue;
    sought.delete(objectKey);
    const [newest] = versions;
    if (newest !== undefined && !newest.isDeletion && newest.writtenAt.getTime() < moment.getTime() - CLOCK_STEP_MS)
      continue;
    const right = await findVersion(store, object, versions, moment);
    if (right === undefined) {
      if (!object.drawnAgain) notFound.push(objectKey);
      continue;
    }
    if (await isNewest(store, objectKey, right, newest)) continue;
    if (!isTrial) await store.bringBack(objectKey, right.id);
    broughtBack.push(objectKey);
  }
  notFound.push(...[...sought.values()].filter(({ drawnAgain }) => !drawnAgain).map(({ key }) => key));
  return { named: objects.length, broughtBack, notFound };
}

/** The version of the moment; with a digest, the first that has it: of the moment, before it, after it. */
async function findVersion(
  store: ObjectVersions,
  { key, sha256 }: Named,
  versions: readonly Version[],
  moment: Date,
): Promise<Version | undefined> {
  const before = versions.filter(({ writtenAt }) => writtenAt <= moment);
  if (sha256 === null) return before[0]?.isDeletion === true ? undefined : before[0];
  const after = versions.filter(({ writtenAt }) => writtenAt > moment).toReversed();
  for (const version of [...before, ...after].filter(({ isDeletion }) => !isDeletion)) {
    const digest = createHash('sha256')
      .update(await store.read(key, version.id))
      .digest('hex');
    if (digest === sha256) return version;
  }
  return undefined;
}

/** True also of a copy, which an earlier rewind has made. */
async function isNewest(
  store: ObjectVersions,
  objectKey: string,
  right: Version,
  newest: Version | undefined,
): Promise<boolean> {
  if (newest === undefined || newest.isDeletion) return false;
  if (newest.id === right.id) return true;
  const [wanted, there] = await Promise.all([right, newest].map(({ id }) => store.read(objectKey, id)));
  return Buffer.compare(wanted!, there!) === 0;
}
