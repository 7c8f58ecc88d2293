import type { Extension } from '@medplum/fhirtypes';
import { regionFault, type PhotoRegion } from '../../../../core/measurement/photo-region.js';
import { profileUrl } from '../../../../reports/index.js';
import { placeIn, type Reading } from '../reading/message-reading.js';
import type { SortedRow } from '../reading/observation-rows.js';

const NUMBER = /^\d{1,6}(?:\.\d{1,3})?$/;
const ANY_SIZE = { widthPx: Number.MAX_SAFE_INTEGER, heightPx: Number.MAX_SAFE_INTEGER };
const FORM = 'Where a wound lies in its photo is x^y or x^y^width^height, in pixels of the photo upright.';

/** Where the wound lies in the photo of this row: of the row with its whole OBX-4, else of the only one of its wound. null: not stated. */
export function regionFor(
  reading: Reading,
  rows: readonly SortedRow[],
  { obx, subject }: SortedRow,
): PhotoRegion | null {
  const regions = rows.filter(({ kind }) => kind === 'region');
  const subId = (row: SortedRow) => row.obx.field(4).text.trim();
  const exact = regions.filter((row) => subId(row) === obx.field(4).text.trim());
  const meant = exact.length > 0 ? exact : regions.filter((row) => row.subject === subject);
  const [row] = meant;
  if (row === undefined) return null;
  if (meant.length > 1)
    return reading.draft.refuse('value.number', placeIn(meant[1]!.obx, 5), 'A photo has one region.');
  return regionIn(reading, row);
}

function regionIn(reading: Reading, { obx }: SortedRow): PhotoRegion | null {
  const repetitions = obx.field(5).repetitions;
  const [value] = repetitions;
  const texts = value === undefined ? [] : [1, 2, 3, 4].map((at) => value.text(at).trim());
  const stated = texts.filter((text, at) => text !== '' || texts.slice(at).some((later) => later !== ''));
  const isForm = (stated.length === 2 || stated.length === 4) && stated.every((text) => NUMBER.test(text));
  if (repetitions.length !== 1 || !isForm) return reading.draft.refuse('value.number', placeIn(obx, 5), FORM);
  const [x, y, width, height] = stated.map(Number);
  const region = { x: x!, y: y!, ...(width === undefined ? {} : { width, height: height! }) };
  return regionFault(region, ANY_SIZE) === null ? region : reading.draft.refuse('value.number', placeIn(obx, 5), FORM);
}

/** As a Media has it. */
export function regionExtension({ x, y, width, height }: PhotoRegion): Extension {
  const part = (url: string, valueDecimal: number | undefined) =>
    valueDecimal === undefined ? [] : [{ url, valueDecimal }];
  return {
    url: profileUrl('wound-region'),
    extension: [...part('x', x), ...part('y', y), ...part('width', width), ...part('height', height)],
  };
}
