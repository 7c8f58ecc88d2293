import type { ReportReading, ReportSubject } from '../../core/report/clinical-report.js';
import { bodyMapIn } from './body-map-words.js';
import { compactFacts, facts, factOf, type Block, type Fact, type Pen, type Section } from './document-blocks.js';
import { conceptText, oneLine } from './given-text.js';

/** Who and which wound, with the wound's place in an outline of the body where it is surely known. */
export function subjectSection(pen: Pen, { report, sequence }: ReportReading): Section {
  const { say, figures } = pen;
  const { subject, capturedAt } = report.content;
  const rows = [
    ...whoFacts(pen, subject),
    { label: say('subject.capturedAt'), value: figures.moment(capturedAt) },
    factOf(say('subject.sequence'), sequence === null ? null : figures.number(sequence)),
    ...woundFacts(pen, subject),
  ];
  const map = bodyMapIn(pen, subject);
  const blocks: Block[] =
    map === null
      ? [compactFacts(...rows)]
      : [{ kind: 'columns', left: [facts(...rows)], right: [{ kind: 'bodyMap', map }], leftShare: 0.62 }];
  return { heading: say('section.subject'), blocks };
}

/** The same of a wound as a whole. */
export function courseSubjectSection(pen: Pen, subject: ReportSubject): Section {
  const rows = [...whoFacts(pen, subject), ...woundFacts(pen, subject), ...subjectSystemFacts(pen, subject)];
  return { heading: pen.say('section.subject'), blocks: [compactFacts(...rows)] };
}

/** Where the ids come from: for the annex. */
export function subjectSystemFacts({ say }: Pen, subject: ReportSubject): (Fact | null)[] {
  return [
    factOf(say('subject.patientSystem'), given(subject.patient?.system)),
    factOf(say('subject.woundSystem'), subject.woundId === null ? null : given(subject.woundIdSystem)),
  ];
}

function whoFacts({ say }: Pen, subject: ReportSubject): Fact[] {
  return [{ label: say('subject.patient'), value: patientText(say, subject) }];
}

function woundFacts({ say }: Pen, subject: ReportSubject): Fact[] {
  const { bodySite, laterality, woundType } = subject;
  return [
    { label: say('subject.wound'), value: woundText(say, subject) },
    { label: say('subject.bodySite'), value: conceptText(bodySite) ?? say('subject.noBodySite') },
    {
      label: say('subject.laterality'),
      value: laterality === null ? say('subject.noLaterality') : say(`laterality.${laterality}`),
    },
    { label: say('subject.woundType'), value: conceptText(woundType) ?? say('subject.noWoundType') },
  ];
}

/** Stands at the head of each page, so that a page that lies alone is still known. */
export function identityLine({ say }: Pen, subject: ReportSubject): string {
  return [
    `${say('subject.patient')}${say('colon')}${patientText(say, subject)}`,
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
