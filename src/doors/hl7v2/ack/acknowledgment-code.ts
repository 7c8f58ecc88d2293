import type { Hl7Problem } from '../../../standards/hl7v2/problems/hl7-problem.js';

/** MSA-1 of an application acknowledgment, and of the only one in original mode. */
export const APPLICATION_CODES = ['AA', 'AE', 'AR'] as const;
export type ApplicationCode = (typeof APPLICATION_CODES)[number];
/** MSA-1 of an accept acknowledgment. */
export const ACCEPT_CODES = ['CA', 'CE', 'CR'] as const;
export type AcceptCode = (typeof ACCEPT_CODES)[number];
export type AcknowledgmentCode = ApplicationCode | AcceptCode;

/** MSH-9, MSH-11 or MSH-12 is not acceptable. */
const HEADER_CONDITIONS: readonly string[] = ['200', '201', '202', '203'];
/** Refused over this connection, or at this time. */
const REJECTED: readonly string[] = [...HEADER_CONDITIONS, '104', '206'];
/** Codes under 207 about the service or the connection; a resend of the same message would meet any other again. */
const NOT_OF_THE_CONTENT = /^(?:service|message)\./;

/** AA without an error, AR where an error rejects the message, else AE. */
export function applicationCodeOf(problems: readonly Hl7Problem[]): ApplicationCode {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return 'AA';
  return errors.some(isRejection) ? 'AR' : 'AE';
}

/** CA without an error, CR where MSH-9, MSH-11 or MSH-12 are not acceptable, else CE. */
export function acceptCodeOf(problems: readonly Hl7Problem[]): AcceptCode {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return 'CA';
  return errors.some(({ condition }) => HEADER_CONDITIONS.includes(condition)) ? 'CR' : 'CE';
}

export function isPositive(code: AcknowledgmentCode): boolean {
  return code === 'AA' || code === 'CA';
}

function isRejection({ condition, code, place }: Hl7Problem): boolean {
  // An unknown character set is a fault of the connection, not of this message.
  if (condition === '103' && place?.segment === 'MSH' && place.field === 18) return true;
  return condition === '207' ? NOT_OF_THE_CONTENT.test(code) : REJECTED.includes(condition);
}
