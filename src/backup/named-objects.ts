import type pg from 'pg';
import { isSuturaError } from '../core/errors/sutura-error.js';

/** '<area>/<owner>/…' */
const OWNER_PARTS = 2;

/** In the place of a SHA-256: the object is there and is not what was encrypted. */
const ALTERED = 'altered';
/** In the place of a SHA-256: the object is there, and this process does not have its key. */
const LOCKED = 'locked';

/** What a fault of reading an object says in the place of its SHA-256; throws any other. */
export function digestOfFault(fault: unknown): string {
  if (isSuturaError(fault, 'storage.key_missing')) return LOCKED;
  if (isSuturaError(fault, 'storage.altered')) return ALTERED;
  throw fault;
}

/**
 * What the rows name. Pictures are in the store before their job is completed; an overlay is drawn when it is asked for,
 * has a digest from then on, and is drawn again where it is gone.
 */
const NAMED = `
  select object_key as key, sha256, false as "drawnAgain" from images where status = 'stored'
  union all select object_key, sha256, false from attachments where status = 'stored'
  union all select object_key, sha256, false from report_documents
  union all select object_key, encode(sha256, 'hex'), false from audit_archives where state <> 'writing'
  union all select 'images/' || job.image_id || '/' || artifact.name || '-' || job.id, job.picture_sha256 ->> artifact.name,
         artifact.name = 'overlay'
    from analysis_jobs job join images image on image.id = job.image_id and image.status = 'stored',
         json_object_keys(job.result -> 'artifacts') as artifact (name)
   where job.status = 'completed' and (artifact.name <> 'overlay' or job.picture_sha256 ? 'overlay')`;

/** An object that the database names. */
export interface Named {
  readonly key: string;
  /** Of the plain bytes; null: the database does not remember it. */
  readonly sha256: string | null;
  /** The store may lack it. */
  readonly drawnAgain: boolean;
}

/** What there is, beside what the database names; keys of objects. */
export interface Comparison {
  readonly missing: string[];
  /** Not the bytes that the database remembers. */
  readonly changed: string[];
  /** Encrypted with a key that is missing here: nothing is known of their bytes, and nothing is lost. */
  readonly keyMissing: string[];
  /** How many are there and could not be compared, as the database does not remember their digests. */
  readonly notCompared: number;
}

/** The objects that a database names, all tenants. */
export class NamedObjects {
  private readonly owners: ReadonlySet<string>;

  private constructor(readonly objects: readonly Named[]) {
    this.owners = new Set(this.keys.map(ownerOf));
  }

  get keys(): readonly string[] {
    return this.objects.map(({ key }) => key);
  }

  static async read(client: pg.Client): Promise<NamedObjects> {
    return new NamedObjects((await client.query<Named>(NAMED)).rows);
  }

  /** True if the object belongs to something that is in the database, such as any picture of a photo that was not erased. */
  covers(objectKey: string): boolean {
    return this.owners.has(ownerOf(objectKey));
  }

  /** @param found SHA-256 by key, or what digestOfFault says */
  compare(found: ReadonlyMap<string, string>): Comparison {
    const isLocked = ({ key }: Named): boolean => found.get(key) === LOCKED;
    const isChanged = ({ key, sha256 }: Named): boolean =>
      found.get(key) === ALTERED || (sha256 !== null && found.has(key) && found.get(key) !== sha256);
    const keysOf = (objects: readonly Named[]): string[] => objects.map(({ key }) => key);
    return {
      missing: keysOf(this.objects.filter(({ key, drawnAgain }) => !drawnAgain && !found.has(key))),
      changed: keysOf(this.objects.filter((object) => !isLocked(object) && isChanged(object))),
      keyMissing: keysOf(this.objects.filter(isLocked)),
      notCompared: this.objects.filter(({ key, sha256 }) => sha256 === null && isReadable(found.get(key))).length,
    };
  }
}

const isReadable = (digest: string | undefined): boolean =>
  digest !== undefined && digest !== ALTERED && digest !== LOCKED;

function ownerOf(objectKey: string): string {
  return objectKey.split('/').slice(0, OWNER_PARTS).join('/');
}
