import type { ReportSubject } from '../../core/report/clinical-report.js';
import { compactFacts, factOf, type Fact, type Pen, type Section } from './document-blocks.js';
import { conceptText, oneLine } from './given-text.js';

/** The patient, the wound and its site, with the ids as they were given; `more` follows. */
export function subjectSection({ say }: Pen, subject: ReportSubject, more: readonly (Fact | null)[]): Section {
  const notStated = say('subject.notStated');
  return {
    heading: say('section.subject'),
    blocks: [
      compactFacts(
        { label: say('subject.patient'), value: patientText(say, subject) },
        { label: say('subject.wound'), value: woundText(say, subject) },
        factOf(say('subject.patientSystem'), given(subject.patient?.system)),
        factOf(say('subject.woundSystem'), subject.woundId === null ? null : given(subject.woundIdSystem)),
        { label: say('subject.bodySite'), value: conceptText(subject.bodySite) ?? notStated },
        {
          label: say('subject.laterality'),
          value: subject.laterality === null ? notStated : say(`laterality.${subject.laterality}`),
        },
        { label: say('subject.woundType'), value: conceptText(subject.woundType) ?? notStated },
        ...more,
      ),
    ],
  };
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
