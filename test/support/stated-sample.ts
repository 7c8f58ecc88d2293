import type { ClinicianObservations } from '../../src/core/analysis/clinician-observations.js';

/** A wound of which a clinician stated everything that can be stated. */
export const EVERYTHING_STATED = {
  depthCm: 0.4,
  lengthCm: 4.5,
  widthCm: 3,
  exudate: 'moderate',
  exudateType: 'serosanguineous',
  odour: 'faint',
  painNrs: 3,
  undermining: [
    { fromClock: 2, toClock: 5, depthCm: 1.2 },
    { fromClock: 11, toClock: 1, depthCm: 0.5 },
    { fromClock: 8, depthCm: 0.7 },
  ],
  tunnelling: [{ clock: 6, depthCm: 2.5 }],
  edges: ['rolled', 'not_attached'],
  periwound: ['erythema', 'oedema'],
  infectionSigns: ['warm to the touch since Tuesday', 'new, foul smell after cleansing'],
  infectionSignCodes: [
    { sign: 'warmth', status: 'present' },
    { sign: 'fever', status: 'absent' },
  ],
  stage: { system: 'texas', value: '1B' },
} as const satisfies ClinicianObservations;
