import type { AssessmentFindings, WoundInPhoto } from '../../core/followup/assessment.js';
import type { WoundFigures } from '../../core/measurement/wound-result.js';
import { paragraph, type Pen, type Section } from './document-blocks.js';
import { tissueCell, tissueLegend, tissueLetters } from './tissue-section.js';

/** More are specks, or a photo that must be looked at anyway. */
const MOST_LISTED = 12;

/** Every wound of the photo by its number; null where there is one, and for findings from before they were kept. */
export function woundsSection(pen: Pen, { wounds, tissue }: AssessmentFindings): Section | null {
  if (wounds === undefined || wounds.length < 2) return null;
  const { say, figures } = pen;
  const counted = wounds.filter((wound) => wound.counted);
  // What a person stated of the tissue stands before what the model saw.
  const shown = wounds.map((wound) => (counted.length === 1 && wound.counted ? { ...wound, tissue } : wound));
  const withTissue = shown.some((wound) => wound.tissue !== null);
  const left = shown.length - MOST_LISTED;
  return {
    heading: say('section.wounds'),
    blocks: [
      {
        kind: 'table',
        columns: [
          say('wounds.number'),
          say('course.area'),
          say('wounds.size'),
          say('wounds.confidence'),
          ...(withTissue ? [tissueLetters(pen)] : []),
          say('wounds.counted'),
        ],
        rows: shown.slice(0, MOST_LISTED).map((wound) => woundRow(pen, wound, withTissue)),
        widths: withTissue ? [12, 42, 34, 30, 38, 20] : [12, 46, 40, 40, 24],
      },
      paragraph(say('wounds.note')),
      ...(left > 0 ? [paragraph(say('wounds.more', { count: figures.number(left) }))] : []),
      ...(withTissue ? [paragraph(tissueLegend(pen))] : []),
    ],
  };
}

function woundRow(pen: Pen, wound: WoundInPhoto, withTissue: boolean): string[] {
  const { say, figures } = pen;
  const { number, counted, confidence } = wound;
  return [
    figures.number(number),
    areaText(pen, wound.figures),
    sizeText(pen, wound.figures),
    confidence === null ? say('change.none') : figures.share(confidence),
    ...(withTissue ? [tissueCell(pen, wound.tissue)] : []),
    say(counted ? 'wounds.yes' : 'wounds.no'),
  ];
}

/** `9.00 (7.65 to 10.35)` */
export function areaText({ say, figures }: Pen, { area: { cm2 } }: WoundFigures): string {
  if (cm2 === null) return say('course.noScale');
  const range = say('range', { lower: figures.within(cm2.lower, cm2), upper: figures.within(cm2.upper, cm2) });
  return `${figures.within(cm2.value, cm2)} (${range})`.replaceAll(' ', '\u00a0');
}

function sizeText({ say, figures }: Pen, { length, width }: WoundFigures): string {
  if (length.cm === null || width.cm === null) return say('change.none');
  return `${figures.number(length.cm.value, 2)}\u00a0×\u00a0${figures.number(width.cm.value, 2)}`;
}
