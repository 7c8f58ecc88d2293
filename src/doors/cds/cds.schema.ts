import { z } from 'zod';

const LONGEST_ID = 128;
/** An id of FHIR, or a reference to a resource with one. */
const idOf = (type: string) =>
  z
    .string()
    .max(LONGEST_ID)
    .transform((text) => (text.startsWith(`${type}/`) ? text.slice(type.length + 1) : text))
    .refine((text) => /^[A-Za-z0-9.-]{1,64}$/.test(text), { error: `must be the id of the ${type}` });

/** `Type/id`, alone or at the end of an address: without a type it is not known whether it is a clinician's. */
const userId = z
  .string()
  .max(LONGEST_ID)
  .refine(
    (text) => /(?:^|\/)[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9.-]{1,64}(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/.test(text),
    {
      error: 'must be the type and the id of who is logged in, such as Practitioner/5',
    },
  );

/** What both hooks send. `fhirAuthorization`, and everything else that is not named, is not read. */
const CALL = {
  hook: z.string(),
  hookInstance: z.uuid(),
  fhirServer: z.string().max(2000).optional(),
  prefetch: z.looseObject({ patient: z.unknown().optional() }).nullish(),
};

export const PATIENT_VIEW_CALL = z.looseObject({
  ...CALL,
  context: z.looseObject({ userId, patientId: idOf('Patient'), encounterId: idOf('Encounter').optional() }),
});
export const DISCHARGE_CALL = z.looseObject({
  ...CALL,
  context: z.looseObject({ userId, patientId: idOf('Patient'), encounterId: idOf('Encounter') }),
});
export type CdsCall = z.output<typeof PATIENT_VIEW_CALL>;

const MOST_FEEDBACK = 100;

/** What became of cards. Comments of people are not read. */
export const FEEDBACK = z.looseObject({
  feedback: z
    .array(
      z.looseObject({
        card: z.uuid(),
        outcome: z.enum(['accepted', 'overridden']),
        outcomeTimestamp: z.iso.datetime({ offset: true }),
      }),
    )
    .min(1)
    .max(MOST_FEEDBACK),
});
