import type { DocumentReference, Observation } from '@medplum/fhirtypes';
import { FILED_SYSTEM, type FiledForm, type FiledType, type FilingFacts, type Look } from './filing.js';

/** By our own identifier, where the server searches it, among those of the patient. What comes without it was not asked for. */
export function byIdentifier({ patient }: Pick<FilingFacts, 'patient'>, type: FiledType, value: string): Look {
  return {
    type,
    parameters: { patient: patient.replace('Patient/', ''), identifier: `${FILED_SYSTEM}|${value}` },
    isOurs: (resource) => carries(resource, value),
    readsContent: false,
  };
}

/** Whether the resource has our identifier. */
export function carries({ identifier }: FiledForm, value: string): boolean {
  return (identifier ?? []).some((one) => one.system === FILED_SYSTEM && one.value === value);
}

/** The place and name of a document in a chart. */
export interface DocumentPlace {
  readonly facts: Pick<FilingFacts, 'patient' | 'encounter'>;
  readonly document: DocumentReference;
  readonly value: string;
}

/**
 * Where the server does not search our identifier: the documents of the encounter, told apart by their bytes. One of another media type or date is
 * another one; one whose bytes cannot be read may be ours.
 */
export function byContent({ facts, document, value }: DocumentPlace, isSame: (bytes: Buffer) => boolean): Look {
  const { patient, encounter } = facts;
  const ours = document.content[0]!.attachment;
  return {
    type: 'DocumentReference',
    parameters: {
      patient: patient.replace('Patient/', ''),
      ...(encounter === null ? {} : { encounter: encounter.replace('Encounter/', '') }),
    },
    isOurs: (resource, bytes) => {
      if (carries(resource, value)) return true;
      const attached = (resource as DocumentReference).content?.[0]?.attachment;
      if (mediaType(attached?.contentType) !== mediaType(ours.contentType)) return false;
      return bytes === null ? null : isSame(bytes);
    },
    readsContent: true,
  };
}

/** Observations of the patient with this code at this moment: one with the same value is the one, another may be somebody else's. */
export function byFigure({ patient }: Pick<FilingFacts, 'patient'>, observation: Observation, value: string): Look {
  const { system, code } = observation.code.coding![0]!;
  const { effectiveDateTime: at, valueQuantity } = observation;
  return {
    type: 'Observation',
    parameters: { patient: patient.replace('Patient/', ''), code: `${system}|${code}`, date: at! },
    isOurs: (resource) => {
      if (carries(resource, value)) return true;
      const other = resource as Observation;
      if (Date.parse(other.effectiveDateTime ?? '') !== Date.parse(at!)) return false;
      return other.valueQuantity?.value === valueQuantity?.value ? true : null;
    },
    readsContent: false,
  };
}

function mediaType(text: string | undefined): string {
  return (text ?? '').split(';', 1)[0]!.trim().toLowerCase();
}
