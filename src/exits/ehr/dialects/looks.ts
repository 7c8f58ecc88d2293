import type { DocumentReference, Observation } from '@medplum/fhirtypes';
import { FILED_SYSTEM, type FiledForm, type FiledType, type FilingFacts, type Look } from './filing.js';

/** By our own identifier, where the server searches it, among those of the patient. What comes without it was not asked for. */
export function byIdentifier({ patient }: Pick<FilingFacts, 'patient'>, type: FiledType, value: string): Look {
  return {
    type,
    value,
    parameters: { patient: patient.replace('Patient/', ''), identifier: `${FILED_SYSTEM}|${value}` },
    isOurs: () => false,
    readsContent: false,
  };
}

/** The place and name of a document in a chart. */
export interface DocumentPlace {
  readonly facts: Pick<FilingFacts, 'patient' | 'encounter'>;
  readonly document: DocumentReference;
  readonly value: string;
}

/**
 * Where the server does not search our identifier: the documents of the encounter, told apart by their bytes. One of an earlier day is another one.
 * One whose bytes cannot be read may be ours, and so may one of another media type, since servers convert, or of our own date, where a document that
 * is made anew has other bytes; one that was entered in error is never taken for what is filed. `isSame` null: other bytes, which the same document may have.
 */
export function byContent({ facts, document, value }: DocumentPlace, isSame: (bytes: Buffer) => boolean | null): Look {
  const { patient, encounter } = facts;
  const ours = document.content[0]!.attachment;
  return {
    type: 'DocumentReference',
    value,
    parameters: {
      patient: patient.replace('Patient/', ''),
      ...(encounter === null ? {} : { encounter: encounter.replace('Encounter/', '') }),
    },
    isOurs: (resource, bytes) => {
      const other = resource as DocumentReference;
      if (Date.parse(other.date ?? '') < Date.parse(document.date!) - DAY_MS) return false;
      if (bytes === null) return null;
      const said = isSame(bytes);
      if (said === true) return isInError(other) === isInError(document) ? true : null;
      const isConverted = mediaType(other.content?.[0]?.attachment?.contentType) !== mediaType(ours.contentType);
      return isConverted || (said === null && isNear(other.date, document.date)) ? null : false;
    },
    readsContent: true,
  };
}

/**
 * Observations of the patient with this code around this moment, as servers keep times to the second or minute. One of the same second with the same
 * value that was issued at the same instant is the one; any other within a minute may be ours, or somebody else's.
 */
export function byFigure({ patient }: Pick<FilingFacts, 'patient'>, observation: Observation, value: string): Look {
  const { system, code } = observation.code.coding![0]!;
  const { effectiveDateTime: at, valueQuantity, issued } = observation;
  return {
    type: 'Observation',
    value,
    parameters: {
      patient: patient.replace('Patient/', ''),
      code: `${system}|${code}`,
      date: [`ge${shifted(at!, -MINUTE_MS)}`, `le${shifted(at!, MINUTE_MS)}`],
    },
    isOurs: (resource) => {
      const other = resource as Observation;
      if (!isNear(other.effectiveDateTime, at)) return false;
      const isSame =
        isSameSecond(other.effectiveDateTime, at) &&
        other.valueQuantity?.value === valueQuantity?.value &&
        isSameSecond(other.issued, issued);
      return isSame && isInError(other) === isInError(observation) ? true : null;
    },
    readsContent: false,
  };
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Within a minute, or of unknown distance: a time that is not stated, or as a day alone, may be ours. */
function isNear(theirs: string | undefined, ours: string | undefined): boolean {
  const apartMs = Date.parse(ours ?? '') - Date.parse(theirs ?? '');
  if (Number.isNaN(apartMs)) return true;
  return DAY_ALONE.test(theirs!) ? apartMs > -DAY_MS && apartMs < 2 * DAY_MS : Math.abs(apartMs) <= MINUTE_MS;
}

const DAY_ALONE = /^\d{4}-\d{2}-\d{2}$/;

function shifted(moment: string, byMs: number): string {
  return new Date(Date.parse(moment) + byMs).toISOString();
}

/** Servers drop parts of a second. */
function isSameSecond(theirs: string | undefined, ours: string | undefined): boolean {
  return Math.abs(Date.parse(theirs ?? '') - Date.parse(ours ?? '')) < 1000;
}

function isInError({ status }: FiledForm): boolean {
  return status === 'entered-in-error';
}

/** Of another server: of a text alone. */
function mediaType(text: unknown): string {
  return (typeof text === 'string' ? text : '').split(';', 1)[0]!.trim().toLowerCase();
}
