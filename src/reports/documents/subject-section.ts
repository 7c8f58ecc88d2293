import { isSiteDoubted } from '../../core/followup/attention.js';
import type { StatedSite } from '../../core/followup/series-order.js';
import type { WoundStage } from '../../core/analysis/wound-stage.js';
import type { CourseReport, ReportContent, ReportReading, ReportSubject } from '../../core/report/clinical-report.js';
import type { ReportHeading } from '../../core/report/report-heading.js';
import { bodyMapIn } from './body-map-words.js';
import { compactFacts, facts, factOf, type Block, type Fact, type Pen, type Section } from './document-blocks.js';
import { conceptText } from './concept-words.js';
import { oneLine } from './given-text.js';
import { stageFact } from './stage-text.js';

/** What tells a wound from others of its patient. */
export type LabelledWound = Pick<ReportSubject, 'bodySite' | 'laterality' | 'woundId'>;

/** Who and which wound, with the wound's place in an outline of the body where it is surely known. */
export function subjectSection(pen: Pen, { report, sequence, readAt, heading }: ReportReading): Section {
  const { say, figures } = pen;
  const { subject, stated, comparison } = report.content;
  const isDoubted = isSiteDoubted(comparison);
  const rows = [
    ...whoFacts(pen, subject, heading),
    { label: say('subject.capturedAt'), value: figures.captured(report.content) },
    factOf(say('subject.sequence'), sequence === null ? null : placeText(pen, sequence, readAt)),
    ...woundFacts(pen, subject),
    stageFact(pen, statedStage(report.content)),
    isDoubted ? { label: say('subject.statedSite'), value: siteText(pen, stated) } : null,
  ];
  // Where a person has yet to say which of two sites it is, none is drawn.
  const map = isDoubted ? null : bodyMapIn(pen, subject);
  const blocks: Block[] =
    map === null
      ? [compactFacts(...rows)]
      : [{ kind: 'columns', left: [facts(...rows)], right: [{ kind: 'bodyMap', map }], leftShare: 0.62 }];
  return { heading: say('section.subject'), blocks };
}

/** As `identityFacts`, of the person the name and the number alone. */
export function shortIdentityFacts(pen: Pen, reading: ReportReading): Fact[] {
  const { heading } = reading;
  const short = heading === null ? null : { ...heading, birthDate: null, facility: null, orderer: null };
  return identityFacts(pen, { ...reading, heading: short });
}

/** Which wound of a patient, in one line: its site, side and number, as far as they are known; that nothing is where nothing is. */
export function woundLine({ say }: Pick<Pen, 'say'>, wound: LabelledWound): string {
  const { bodySite, laterality, woundId } = wound;
  const side = laterality === null ? null : say(`laterality.${laterality}`);
  const number = woundId === null ? null : `${say('subject.wound')} ${oneLine(woundId)}`;
  const known = [conceptText(say, bodySite), side, number].filter((part) => part !== null);
  return known.length === 0 ? `${say('subject.wound')} (${say('subject.noBodySite')})` : known.join(', ');
}

/** Who, and which wound, as on the first page: for the head of a page. */
export function identityFacts(pen: Pen, { report, heading }: ReportReading): Fact[] {
  const { subject, stated, comparison } = report.content;
  return [
    ...whoFacts(pen, subject, heading),
    ...woundFacts(pen, subject),
    ...(isSiteDoubted(comparison) ? [{ label: pen.say('subject.statedSite'), value: siteText(pen, stated) }] : []),
  ];
}

/** On the first page, whatever the verdict: a first photo compares it with nothing. */
function statedStage({ clinicianObservations }: Pick<ReportContent, 'clinicianObservations'>): WoundStage | null {
  const { stage, statedAt } = clinicianObservations ?? {};
  return stage === undefined ? null : { ...stage, statedAt: stage.statedAt ?? statedAt?.stage };
}

/** With its day: a late photo moves the number on, and the document stays. */
function placeText({ say, figures }: Pen, sequence: number, readAt: Date): string {
  return say('subject.sequenceAsOf', { number: figures.number(sequence), day: figures.day(readAt) });
}

/** Site and side as the sender of the photo gave them. */
function siteText({ say }: Pen, { bodySite, laterality }: StatedSite): string {
  const side = laterality === null ? null : say(`laterality.${laterality}`);
  return [conceptText(say, bodySite), side].filter((part) => part !== null).join(', ');
}

/** The same of a wound as a whole. */
export function courseSubjectSection(
  pen: Pen,
  { subject, heading }: Pick<CourseReport, 'subject' | 'heading'>,
): Section {
  // Each photo may have been ordered by somebody else.
  const who = heading === null ? null : { ...heading, orderer: null };
  const rows = [...whoFacts(pen, subject, who), ...woundFacts(pen, subject), ...subjectSystemFacts(pen, subject)];
  return { heading: pen.say('section.subject'), blocks: [compactFacts(...rows)] };
}

/** Where the ids come from: for the annex. */
export function subjectSystemFacts({ say }: Pen, subject: ReportSubject): (Fact | null)[] {
  return [
    factOf(say('subject.patientSystem'), given(subject.patient?.system)),
    factOf(say('subject.woundSystem'), subject.woundId === null ? null : given(subject.woundIdSystem)),
  ];
}

/** What the records say of the person, as far as they say it; else the number alone. */
function whoFacts({ say, figures }: Pen, subject: ReportSubject, heading: ReportHeading | null): Fact[] {
  const number = heading?.patientNumber ?? null;
  const name = given(heading?.patientName ?? undefined);
  const birthDate = heading?.birthDate ?? null;
  const born = factOf(say('subject.birthDate'), birthDate === null ? null : figures.partialDate(oneLine(birthDate)));
  const numbered = {
    label: say(name === null ? 'subject.patient' : 'subject.patientNumber'),
    value: number === null ? patientText(say, subject) : oneLine(number),
  };
  const known = [
    factOf(say('subject.patient'), name),
    // Whoever is known by a number alone stands first by that.
    ...(name === null ? [numbered, born] : [born, numbered]),
    factOf(say('subject.facility'), given(heading?.facility ?? undefined)),
    factOf(say('subject.orderer'), given(heading?.orderer ?? undefined)),
  ];
  return known.filter((fact) => fact !== null);
}

function woundFacts({ say }: Pen, subject: ReportSubject): Fact[] {
  const { bodySite, laterality, woundType } = subject;
  return [
    { label: say('subject.wound'), value: woundText(say, subject) },
    { label: say('subject.bodySite'), value: conceptText(say, bodySite) ?? say('subject.noBodySite') },
    {
      label: say('subject.laterality'),
      value: laterality === null ? say('subject.noLaterality') : say(`laterality.${laterality}`),
    },
    { label: say('subject.woundType'), value: conceptText(say, woundType) ?? say('subject.noWoundType') },
  ];
}

/** Stands at the head of each page, so that a page that lies alone is still known. */
export function identityLine({ say, figures }: Pen, subject: ReportSubject, heading: ReportHeading | null): string {
  const birthDate = heading?.birthDate ?? null;
  const name = given(heading?.patientName ?? undefined);
  const born = birthDate === null ? null : figures.partialDate(oneLine(birthDate));
  const number = given(heading?.patientNumber ?? undefined) ?? patientText(say, subject);
  // A date alone is no patient.
  const who = (name === null ? [number, born] : [name, born, number]).filter((part) => part !== null);
  return [
    `${say('subject.patient')}${say('colon')}${who.join(', ')}`,
    `${say('subject.wound')}${say('colon')}${woundText(say, subject)}`,
  ].join(' · ');
}

function patientText(say: Pen['say'], { patient }: ReportSubject): string {
  return patient === null ? say('subject.noPatient') : oneLine(patient.value);
}

function woundText(say: Pen['say'], { woundId }: ReportSubject): string {
  return woundId === null ? say('subject.unlinked') : oneLine(woundId);
}

function given(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : oneLine(text);
}
