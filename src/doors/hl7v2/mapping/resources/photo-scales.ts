import { OBSERVABLE } from '../../../../reports/index.js';
import { placeIn, type Reading } from '../reading/message-reading.js';
import type { FindingRow } from '../reading/observation-rows.js';
import type { PlannedResource } from '../plan/plan-draft.js';

/** A photo of the message, and the row's OBX-4 as it stands. */
export interface SentPhoto {
  readonly subId: string;
  readonly photo: PlannedResource;
}

export function isScale({ code }: Pick<FindingRow, 'code'>): boolean {
  return code === OBSERVABLE.pixelSpacing.code;
}

/** Which photos each scale of an order is of. By two scales of one photo it would be measured wrongly. */
export class PhotoScales {
  private readonly stated = new Map<string, number>();

  /** The photos of the same OBX-4 where there are any with it, else all; one that has another scale already refuses the message. */
  photosOf({ draft }: Reading, { obx }: FindingRow, photos: readonly SentPhoto[]): PlannedResource[] {
    const subId = obx.field(4).text.trim();
    const same = photos.filter((one) => one.subId === subId);
    const meant = (same.length > 0 ? same : photos).map(({ photo }) => photo);
    const value = Number(obx.field(5).text.trim());
    for (const { reference } of meant) {
      const before = this.stated.get(reference);
      this.stated.set(reference, value);
      if (before !== undefined && before !== value) {
        draft.refuse('value.number', placeIn(obx, 5), TWO_SCALES);
        return meant;
      }
    }
    return meant;
  }
}

const TWO_SCALES =
  'The photo has another scale in a row before. State one scale for each photo; OBX-4 says which photo a scale is of.';
