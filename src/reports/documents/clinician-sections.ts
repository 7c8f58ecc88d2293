import type { ClinicianObservations } from '../../core/analysis/clinician-observations.js';
import type { ReviewStamp } from '../../core/report/clinical-report.js';
import { compactFacts, facts, factOf, paragraph, type Block, type Pen, type Section } from './document-blocks.js';
import { asGiven, oneLine } from './given-text.js';

/** Copied, never guessed; null where none were given. */
export function observationSection({ say, figures }: Pen, given: ClinicianObservations | null): Section | null {
  if (given === null) return null;
  const { depthCm, lengthCm, widthCm, exudate, painNrs } = given;
  const lengthFact = (label: string, centimetres: number | undefined) =>
    factOf(label, centimetres === undefined ? null : figures.lengthAsGiven(centimetres));
  const rows = [
    lengthFact(say('observation.lengthCm'), lengthCm),
    lengthFact(say('observation.widthCm'), widthCm),
    lengthFact(say('observation.depthCm'), depthCm),
    factOf(say('observation.exudate'), exudate === undefined ? null : say(`exudate.${exudate}`)),
    factOf(say('observation.painNrs'), painNrs === undefined ? null : figures.number(painNrs)),
  ];
  if (rows.every((row) => row === null)) return null;
  return { heading: say('section.observations'), blocks: [compactFacts(...rows), paragraph(say('observation.note'))] };
}

export function contextSection({ say }: Pen, clinicalContext: string | null): Section | null {
  const text = asGiven(clinicalContext ?? '');
  return text === '' ? null : { heading: say('section.context'), blocks: [{ kind: 'quotation', text }] };
}

/** The last decision with its author and time, or that there is none. */
export function reviewSection({ say, figures }: Pen, review: ReviewStamp | null): Section {
  const heading = say('section.review');
  if (review === null) return { heading, blocks: [paragraph(say('review.none'))] };
  const { decision, reviewer, reviewedAt } = review;
  const note = asGiven(review.note ?? '');
  const blocks: Block[] = [
    facts(
      { label: say('review.decision'), value: say(`review.${decision}`) },
      { label: say('review.reviewer'), value: oneLine(reviewer.name) },
      { label: say('review.reviewerId'), value: oneLine(reviewer.id) },
      factOf(say('review.reviewerSystem'), reviewer.system === undefined ? null : oneLine(reviewer.system)),
      { label: say('review.reviewedAt'), value: figures.moment(reviewedAt) },
    ),
  ];
  if (note !== '')
    blocks.push(paragraph(`${say('review.note')}${say('colon')}`.trim()), { kind: 'quotation', text: note });
  return { heading, blocks };
}
