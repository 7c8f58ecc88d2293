import type { DocumentReference, Extension, Media } from '@medplum/fhirtypes';
import { regionFault, type PhotoRegion } from '../../../core/measurement/photo-region.js';
import type { PhotoSize } from '../../../core/measurement/probability-map.js';
import { profileUrl } from '../../../reports/index.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';

const REGION_EXTENSION = profileUrl('wound-region');
const PARTS = ['x', 'y', 'width', 'height'] as const;

/** Where in the photo its wound lies, as its sender said; null: they did not. */
export function regionOf({ extension }: Pick<Media | DocumentReference, 'extension'>): PhotoRegion | null {
  const stated = extension?.find(({ url }) => url === REGION_EXTENSION);
  if (stated === undefined) return null;
  const parts = PARTS.flatMap((part) => {
    const value = numberIn(stated, part);
    return value === undefined ? [] : [[part, value] as const];
  });
  return Object.fromEntries(parts) as unknown as PhotoRegion;
}

/** `fhir.business_rule` where the region cannot be one of the photo; of a photo whose bytes are not here the size is not known yet. */
export function refuseRegion(media: Media, size: PhotoSize | null): void {
  const region = regionOf(media);
  if (region === null) return;
  const isWhole = region.x !== undefined && region.y !== undefined;
  const fault = isWhole ? regionFault(region, size ?? ANY_SIZE) : 'a region has at least x and y';
  if (fault !== null) throw notPossible('Media.extension', `Where the wound lies in the photo: ${fault}.`);
}

const ANY_SIZE: PhotoSize = { widthPx: Number.MAX_SAFE_INTEGER, heightPx: Number.MAX_SAFE_INTEGER };

function numberIn({ extension }: Extension, part: (typeof PARTS)[number]): number | undefined {
  const found = extension?.find(({ url }) => url === part);
  return found?.valueDecimal ?? found?.valueInteger ?? undefined;
}
