import type pg from 'pg';

/** '<area>/<owner>/…' */
const OWNER_PARTS = 2;

/** In the place of a SHA-256: the object is there and cannot be decrypted. */
export const UNREADABLE = 'unreadable';

/** What the rows name. Pictures are in the store before their job is completed; an overlay is drawn when it is asked for. */
const NAMED = `
  select object_key as key, sha256 from images where status = 'stored'
  union all select object_key, sha256 from attachments where status = 'stored'
  union all select object_key, sha256 from report_documents
  union all select 'images/' || job.image_id || '/' || artifact.name || '-' || job.id, null
    from analysis_jobs job join images image on image.id = job.image_id and image.status = 'stored',
         json_object_keys(job.result -> 'artifacts') as artifact (name)
   where job.status = 'completed' and artifact.name <> 'overlay'`;

/** The objects that a database names, all tenants. */
export class NamedObjects {
  private readonly owners: ReadonlySet<string>;

  /** @param digests by key: the SHA-256 that the database remembers, null where it does not */
  private constructor(private readonly digests: ReadonlyMap<string, string | null>) {
    this.owners = new Set([...digests.keys()].map(ownerOf));
  }

  get keys(): readonly string[] {
    return [...this.digests.keys()];
  }

  static async read(client: pg.Client): Promise<NamedObjects> {
    const { rows } = await client.query<{ key: string; sha256: string | null }>(NAMED);
    return new NamedObjects(new Map(rows.map(({ key, sha256 }) => [key, sha256])));
  }

  /** True if the object belongs to something that is in the database, such as any picture of a photo that was not erased. */
  covers(objectKey: string): boolean {
    return this.owners.has(ownerOf(objectKey));
  }

  /** Compares with what there is: SHA-256 by key, or UNREADABLE, which counts as changed. */
  compare(found: ReadonlyMap<string, string>): { readonly missing: string[]; readonly changed: string[] } {
    const keys = [...this.digests];
    return {
      missing: keys.flatMap(([key]) => (found.has(key) ? [] : [key])),
      changed: keys.flatMap(([key, sha256]) => (isChanged(sha256, found.get(key)) ? [key] : [])),
    };
  }
}

function isChanged(remembered: string | null, now: string | undefined): boolean {
  return now === UNREADABLE || ![undefined, remembered ?? now].includes(now);
}

function ownerOf(objectKey: string): string {
  return objectKey.split('/').slice(0, OWNER_PARTS).join('/');
}
