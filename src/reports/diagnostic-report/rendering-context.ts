import type { Attachment, CodeableConcept, Identifier, Reference } from '@medplum/fhirtypes';
import type { AssessmentFindings } from '../../core/followup/assessment.js';
import type { ReportReading } from '../../core/report/clinical-report.js';
import { plainMinus } from '../wording/figure-format.js';
import { penOf } from '../documents/report-document.js';
import type { Pen } from '../documents/document-blocks.js';
import type { Language } from '../wording/language.js';
import type { Code, Unit } from '../terminology/codes.js';
import { UNIT } from '../terminology/codes.js';
import { SNOMED, UCUM } from '../terminology/codes.js';

/** One Observation for each measure; or size and tissue in the form of HL7's skin and wound guide. Never both: readers would count double. */
export type ReportStyle = 'discrete' | 'skin-wound-ig';

/** The references of a door's own resources, which the neutral report does not know. */
export interface RenderingContext {
  /** `Patient/…`; null: nobody is named, so that no wound is either, and no profile is claimed, as each wants a patient. */
  readonly patient: string | null;
  /** `Organization/…`, who answers for the result. */
  readonly performer: string;
  readonly encounter: string | null;
  /** `ServiceRequest/…` that asked for it, with its placer number. */
  readonly order: { readonly reference: string; readonly placer: Identifier | null } | null;
  /** SNOMED CT needs a licence where the service runs. */
  readonly snomed: boolean;
  readonly style: ReportStyle;
  /** The document, where there is one. */
  readonly document: Attachment | null;
  /** The findings of the assessment before, which say what Observations it has; null: there is none. */
  readonly findingsBefore: Pick<AssessmentFindings, 'figures' | 'tissue'> | null;
  /** When the photo was taken, as its sender wrote it, with their offset or as a day; absent: the report's own moment, in UTC. */
  readonly takenAt?: string;
  /** Of texts; absent: English. Codes keep the words of their systems. */
  readonly language?: Language;
  /** IANA zone of days in texts; absent: UTC. */
  readonly timeZone?: string;
  /** The photo's Media; the default is the image's own id. */
  readonly mediaOf: (imageId: string) => string;
}

/** A report with its context, as the renderings pass it on. */
export interface Rendered {
  readonly reading: ReportReading;
  readonly context: RenderingContext;
}

/** The words and figures of the language asked for. */
export function penFor({ language = 'en', timeZone = 'UTC' }: Pick<RenderingContext, 'language' | 'timeZone'>): Pen {
  const pen = penOf(language, timeZone);
  // Blanks that hold a line together are for paper.
  return { ...pen, say: (key, values) => plainMinus(pen.say(key, values).replaceAll('\u00a0', ' ')) };
}

/** A concept of these codes, without those of a system that is switched off. undefined where none is left and there is no text. */
export function concept(
  context: Pick<RenderingContext, 'snomed'>,
  codes: readonly Code[],
  text?: string,
): CodeableConcept | undefined {
  const coding = codes.filter(({ system }) => context.snomed || system !== SNOMED).map((code) => ({ ...code }));
  if (coding.length === 0 && text === undefined) return undefined;
  return { ...(coding.length === 0 ? {} : { coding }), ...(text === undefined ? {} : { text }) };
}

export function only(code: Code): CodeableConcept {
  return { coding: [{ ...code }] };
}

export function quantity(value: number, name: Unit): { value: number; unit: string; system: string; code: string } {
  return { value, unit: UNIT[name].unit, system: UCUM, code: UNIT[name].code };
}

export function refer(reference: string): Reference {
  return { reference };
}
