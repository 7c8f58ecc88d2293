import type { SystemStatements } from '../../../../platform/database/statements.js';
import type { InboundRecord } from './inbound-record.js';

/** The state of a photo that a message named by URL. `erased`: it was fetched, and deleted since. */
export type PointedPhotoState = 'waiting' | 'fetched' | 'failed' | 'erased';

/** A photo that a message named by URL. The URL is left out: it may name a patient. */
export interface PointedPhoto {
  readonly imageId: string;
  readonly state: PointedPhotoState;
  /** Attempts that failed or are under way; 0 once it is fetched. */
  readonly tries: number;
  /** Code of the last failure: `status 404`, `ECONNREFUSED`, `image.too_large`; null: none. */
  readonly fault: string | null;
  /** The next attempt of a waiting photo; else null. */
  readonly nextTryAt: Date | null;
}

interface Row {
  readonly imageId: string;
  readonly status: 'awaiting_upload' | 'stored' | 'deleted';
  /** null: it is no longer to be fetched. */
  readonly tries: number | null;
  readonly fault: string | null;
  readonly isGivenUp: boolean;
  readonly nextTryAt: Date | null;
}

/** Searches by the primary keys of both tables, however many images there are. */
export const FIND_POINTED = `select image.id as "imageId", image.status, remote.tries, remote.fault, remote.given_up_at is not null as "isGivenUp", remote.next_try_at as "nextTryAt"
  from unnest($1::uuid[]) wanted (id) join images image on image.id = wanted.id left join remote_images remote on remote.image_id = wanted.id`;

/** Photos that these messages named by URL, by their ids. */
export async function findPointedPhotos(
  statements: SystemStatements,
  records: readonly Pick<InboundRecord, 'pointedImageIds'>[],
): Promise<ReadonlyMap<string, PointedPhoto>> {
  const ids = [...new Set(records.flatMap(({ pointedImageIds }) => pointedImageIds))];
  if (ids.length === 0) return new Map();
  const { rows } = await statements.run<Row>(FIND_POINTED, [ids]);
  return new Map(rows.map((row) => [row.imageId, toPhoto(row)]));
}

function toPhoto({ imageId, status, tries, fault, isGivenUp, nextTryAt }: Row): PointedPhoto {
  const state = stateOf(status, tries !== null, isGivenUp);
  return {
    imageId,
    state,
    tries: state === 'fetched' ? 0 : (tries ?? 0),
    fault: state === 'fetched' ? null : fault,
    nextTryAt: state === 'waiting' ? nextTryAt : null,
  };
}

function stateOf(status: Row['status'], isListed: boolean, isGivenUp: boolean): PointedPhotoState {
  if (status === 'stored') return 'fetched';
  if (status === 'awaiting_upload' && !isGivenUp) return 'waiting';
  return isListed ? 'failed' : 'erased';
}
