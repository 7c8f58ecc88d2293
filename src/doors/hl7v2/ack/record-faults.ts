import type { ErrorCode } from '../../../core/errors/catalogue.js';
import { isSuturaError, SuturaError } from '../../../core/errors/sutura-error.js';
import type { ErrorConditionCode, Hl7Problem, ProblemPlace } from '../../../standards/hl7v2/problems/hl7-problem.js';

/** A refusal by the record, with pointers into the Bundle. */
interface PointingFault extends SuturaError {
  readonly issues: readonly { readonly severity?: string; readonly expression: string; readonly details: string }[];
}

const CONDITIONS: Readonly<Partial<Record<ErrorCode, ErrorConditionCode>>> = {
  'fhir.structure': '102',
  'fhir.profile': '102',
  'fhir.image': '102',
  'fhir.url_refused': '102',
  'calibration.implausible': '102',
  'region.outside_photo': '102',
  'capture.future': '102',
  'subject.mismatch': '204',
  'data.conflict': '205',
  'data.unusable': '102',
  'image.unreadable': '102',
  'image.damaged': '102',
  'image.type': '102',
  'image.too_large': '102',
  'request.too_large': '102',
  'fhir.reference': '204',
  'fhir.no_match': '204',
  'fhir.multiple_matches': '204',
  'fhir.not_found': '204',
  'identity.conflict': '204',
  'fhir.duplicate': '205',
  'fhir.version_conflict': '206',
};
/** Advice for senders in place of the record's words for developers, which go to ERR-7. */
const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  'fhir.duplicate':
    'The number belongs to another record already. Correct the number, or have the records joined by A40.',
  'fhir.version_conflict': 'Somebody else changed the same record at this moment. Send the message again.',
  'fhir.reference': 'Something that the message refers to is not known here. Send what it refers to first.',
  'fhir.no_match': 'Something that the message refers to is not known here. Send what it refers to first.',
  'fhir.multiple_matches': 'Several records match. Have them joined, or send a number of one patient alone.',
  'fhir.structure': 'The value cannot be kept as it is. Correct it and send the message again.',
  'fhir.profile': 'The value cannot be kept as it is. Correct it and send the message again.',
  'fhir.task_state':
    'The analysis of this order has begun or has ended, so that the order stands as it was. Its result comes all the same; a clinician can reject it.',
  'fhir.search': 'A number of the message cannot be looked up. Correct it and send the message again.',
};
const ENTRY = /^Bundle\.entry\[(\d+)\]/;

/**
 * Problems of a refusal by the record: each issue at the place that its entry came from. Anything but a SuturaError is an internal fault (207), without details.
 */
export function problemsOf(fault: unknown, places: readonly (ProblemPlace | null)[] = []): Hl7Problem[] {
  if (!isSuturaError(fault)) return problemsOf(new SuturaError('service.internal'));
  const condition = CONDITIONS[fault.code] ?? '207';
  const advice = ADVICE[fault.code];
  const problem = (place: ProblemPlace | null, text: string): Hl7Problem =>
    advice === undefined
      ? { severity: 'error', condition, place, code: fault.code, text }
      : { severity: 'error', condition, place, code: fault.code, text: advice, diagnosis: text };
  const issues =
    'issues' in fault
      ? (fault as PointingFault).issues.filter(
          ({ severity }) => severity === undefined || severity === 'error' || severity === 'fatal',
        )
      : [];
  if (issues.length === 0) return [problem(null, fault.detail)];
  return distinct(issues.map(({ expression, details }) => problem(placeOf(expression, places), details)));
}

function placeOf(expression: string, places: readonly (ProblemPlace | null)[]): ProblemPlace | null {
  const index = ENTRY.exec(expression)?.[1];
  return index === undefined ? null : (places[Number(index)] ?? null);
}

function distinct(problems: readonly Hl7Problem[]): Hl7Problem[] {
  return [...new Map(problems.map((one) => [JSON.stringify([one.place, one.text, one.diagnosis]), one])).values()];
}
