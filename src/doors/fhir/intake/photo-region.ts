import type { DocumentReference, Extension, Media } from '@medplum/fhirtypes';
import { regionFault, type PhotoRegion } from '../../../core/measurement/photo-region.js';
import type { PhotoSize } from '../../../core/measurement/probability-map.js';
import { profileUrl } from '../../../reports/index.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';

const REGION_EXTENSION = profileUrl('wound-region');

/** Where in the photo its wound lies, as its sender said; null: they did not. What is missing of it is not a number. */
export function regionOf({ extension }: Pick<Media | DocumentReference, 'extension'>): PhotoRegion | null {
  const stated = extension?.find(({ url }) => url === REGION_EXTENSION);
  if (stated === undefined) return null;
  const [width, height] = [numberIn(stated, 'width'), numberIn(stated, 'height')];
  return {
    x: numberIn(stated, 'x') ?? Number.NaN,
    y: numberIn(stated, 'y') ?? Number.NaN,
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  };
}

/** `fhir.business_rule` where the region cannot be one of the photo; of a photo whose bytes are not here the size is not known yet. */
export function refuseRegion(media: Media, size: PhotoSize | null): void {
  const region = regionOf(media);
  const fault = region === null ? null : regionFault(region, size ?? ANY_SIZE);
  if (fault === null) return;
  const why = size === null ? 'it has x and y, and a box width and height as well; none below 0' : fault;
  throw notPossible('Media.extension', `Where the wound lies in the photo: ${why}.`);
}

const ANY_SIZE: PhotoSize = { widthPx: Number.MAX_SAFE_INTEGER, heightPx: Number.MAX_SAFE_INTEGER };

function numberIn({ extension }: Extension, part: 'x' | 'y' | 'width' | 'height'): number | undefined {
  const found = extension?.find(({ url }) => url === part);
  return found?.valueDecimal ?? found?.valueInteger;
}
