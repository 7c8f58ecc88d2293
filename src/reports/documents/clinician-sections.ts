import type { ClinicianField, ClinicianObservations } from '../../core/analysis/clinician-observations.js';
import type { SignStatus } from '../../core/analysis/infection-sign-codes.js';
import type { ClinicalReport, ReviewStamp } from '../../core/report/clinical-report.js';
import { isSigned } from '../../core/report/wound-evidence.js';
import {
  compactFacts,
  facts,
  factOf,
  notice,
  paragraph,
  type Block,
  type Fact,
  type Pen,
  type Section,
} from './document-blocks.js';
import { stageFact } from './stage-text.js';
import type { WordingKey } from '../wording/wording.js';
import { asGiven, oneLine } from './given-text.js';

/** Copied, never guessed; null where none were given. */
export function observationSection(pen: Pen, given: ClinicianObservations | null): Section | null {
  if (given === null) return null;
  const { say } = pen;
  const blocks = [
    ...factBlocks(pen, given),
    ...signBlocks(pen, given),
    ...listBlocks([...underminings(pen, given), ...tunnels(pen, given)]),
    ...wordBlocks(pen, given.infectionSigns ?? []),
    ...otherDays(pen, given.statedAt ?? {}),
  ];
  if (blocks.length === 0) return null;
  return { heading: say('section.observations'), blocks: [...blocks, paragraph(say('observation.note'))] };
}

const FIELD_NAMES: Readonly<Record<ClinicianField, WordingKey>> = {
  depthCm: 'observation.depthCm',
  lengthCm: 'observation.lengthCm',
  widthCm: 'observation.widthCm',
  exudate: 'observation.exudate',
  exudateType: 'observation.exudate',
  odour: 'observation.odour',
  painNrs: 'observation.painNrs',
  undermining: 'observation.underminings',
  tunnelling: 'observation.tunnels',
  edges: 'observation.edges',
  periwound: 'observation.periwound',
  infectionSigns: 'observation.infectionSigns',
  infectionSignCodes: 'observation.signs',
  stage: 'observation.stage',
};

/** What was not stated on the day of the photo, with its own: a depth of yesterday is not read as today's. */
function otherDays({ say, figures }: Pen, statedAt: NonNullable<ClinicianObservations['statedAt']>): Block[] {
  const byTime = new Map<string, Set<string>>();
  for (const [field, time] of Object.entries(statedAt)) {
    const names = byTime.get(time) ?? new Set();
    byTime.set(time, names.add(say(FIELD_NAMES[field as ClinicianField])));
  }
  return [...byTime].map(([time, names]) =>
    notice(say('observation.otherDay', { fields: [...names].join(', '), date: figures.stated(time) })),
  );
}

function factBlocks(pen: Pen, given: ClinicianObservations): Block[] {
  const { say, figures } = pen;
  const { exudate, exudateType, odour, painNrs, edges = [], periwound = [] } = given;
  const wordsFact = (label: string, words: readonly string[]) =>
    factOf(label, words.length === 0 ? null : words.join(', '));
  const rows = [
    stageFact(pen, given.stage ?? null),
    sizeFact(pen, given),
    wordsFact(say('observation.exudate'), [
      ...(exudate === undefined ? [] : [say(`exudate.${exudate}`)]),
      ...(exudateType === undefined ? [] : [say(`exudateType.${exudateType}`)]),
    ]),
    factOf(say('observation.odour'), odour === undefined ? null : say(`odour.${odour}`)),
    factOf(say('observation.painNrs'), painNrs === undefined ? null : figures.number(painNrs)),
    wordsFact(
      say('observation.edges'),
      edges.map((edge) => say(`edge.${edge}`)),
    ),
    wordsFact(
      say('observation.periwound'),
      periwound.map((finding) => say(`periwound.${finding}`)),
    ),
  ];
  return rows.every((row) => row === null) ? [] : [compactFacts(...rows)];
}

/** What was looked for and found, and what was looked for and not found: what is in neither list was not looked for. */
function signBlocks({ say }: Pen, { infectionSignCodes = [] }: ClinicianObservations): Block[] {
  const names = (status: SignStatus) =>
    infectionSignCodes.filter((stated) => stated.status === status).map(({ sign }) => say(`sign.${sign}`));
  const rows = [
    [say('observation.signsPresent'), names('present')],
    [say('observation.signsAbsent'), names('absent')],
  ] as const;
  const told = rows.filter(([, signs]) => signs.length > 0);
  return told.length === 0 ? [] : [facts(...told.map(([label, signs]) => ({ label, value: signs.join(', ') })))];
}

/** As wound forms have it: length × width × depth, of which each may be absent. */
function sizeFact({ say, figures }: Pen, given: ClinicianObservations): Fact | null {
  const stated = (['lengthCm', 'widthCm', 'depthCm'] as const).flatMap((name) => {
    const centimetres = given[name];
    return centimetres === undefined ? [] : [{ label: say(`observation.${name}`), value: figures.number(centimetres) }];
  });
  if (stated.length === 0) return null;
  const value = stated.map((one) => one.value).join(' × ');
  return { label: stated.map(({ label }) => label).join(' × '), value: say('unit.cm', { value }) };
}

function underminings({ say, figures }: Pen, { undermining = [] }: ClinicianObservations): string[] {
  return undermining.map(({ fromClock, toClock, depthCm }) => {
    const depth = figures.lengthAsGiven(depthCm);
    const from = figures.number(fromClock);
    return toClock === undefined
      ? say('observation.underminingAt', { at: from, depth })
      : say('observation.undermining', { from, to: figures.number(toClock), depth });
  });
}

function tunnels({ say, figures }: Pen, { tunnelling = [] }: ClinicianObservations): string[] {
  return tunnelling.map(({ clock, depthCm }) =>
    say('observation.tunnel', { at: figures.number(clock), depth: figures.lengthAsGiven(depthCm) }),
  );
}

function listBlocks(items: readonly string[]): Block[] {
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

/** The clinician's own words, set off from those of the report. */
function wordBlocks({ say }: Pen, words: readonly string[]): Block[] {
  if (words.length === 0) return [];
  return [
    paragraph(`${say('observation.infectionSigns')}${say('colon')}`.trim()),
    { kind: 'quotation', text: words.map(oneLine).join('\n') },
  ];
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

/** Room for a name, and for a date, of a person who signs by hand. */
const SIGNATURE_LINE = '_'.repeat(36);
const DATE_LINE = '_'.repeat(14);

/** For the first page: who signed, or that nobody has, and a line for a signature by hand. Of a withdrawn report who withdrew it: there is nothing to sign. */
export function signatureSection(pen: Pen, report: ClinicalReport): Section | null {
  const { say } = pen;
  const { review } = report.content;
  const heading = say('section.signature');
  if (report.status === 'entered-in-error')
    return review === null ? null : { heading, blocks: [decidedBy(pen, 'signature.withdrawn', review)] };
  const signed =
    review !== null && isSigned(report)
      ? decidedBy(pen, 'signature.by', review)
      : notice(say(report.status === 'preliminary' || review !== null ? 'signature.none' : 'signature.rule'));
  return {
    heading,
    blocks: [signed, paragraph(say('signature.line', { line: SIGNATURE_LINE, short: DATE_LINE }))],
  };
}

function decidedBy(
  { say, figures }: Pen,
  label: 'signature.by' | 'signature.withdrawn',
  { reviewer, reviewedAt }: ReviewStamp,
): Block {
  const value = say('signature.name', { name: oneLine(reviewer.name), date: figures.moment(reviewedAt) });
  return facts({ label: say(label), value });
}
