import { warned } from '../problems/problem-catalogue.js';
import type { MessageHeader } from '../er7/er7-message.js';
import type { Hl7Source } from '../mapping/reading/hl7-source.js';

/** HL7 table 0155: always, never, only where something is wrong, only where nothing is. */
export type AcknowledgmentCondition = 'AL' | 'NE' | 'ER' | 'SU';

/** How a message is answered. */
export type AcknowledgmentMode =
  /** One application acknowledgment, after the commit. */
  | { readonly kind: 'original' }
  /** An accept acknowledgment once the message is safe, and an application acknowledgment as a message of our own, each where it is asked for. */
  | {
      readonly kind: 'enhanced';
      readonly accept: AcknowledgmentCondition;
      readonly application: AcknowledgmentCondition;
    };

const CONDITIONS: readonly string[] = ['AL', 'NE', 'ER', 'SU'];

/**
 * By MSH-15 and MSH-16, unless the source has a mode of its own. One of them valued makes the mode enhanced; the empty one then means never.
 * `enhanced` by setting, both fields empty: accept always, application never.
 */
export function acknowledgmentModeOf(
  header: Pick<MessageHeader, 'acceptAcknowledgment' | 'applicationAcknowledgment'>,
  setting: Hl7Source['acknowledgment'],
): AcknowledgmentMode {
  const { acceptAcknowledgment: accept, applicationAcknowledgment: application } = header;
  const isSilent = accept === '' && application === '';
  if (setting === 'original' || (setting === 'auto' && isSilent)) return { kind: 'original' };
  return { kind: 'enhanced', accept: isSilent ? 'AL' : conditionOf(accept), application: conditionOf(application) };
}

/** Whether an acknowledgment under this condition is sent. */
export function isAsked(condition: AcknowledgmentCondition, isPositive: boolean): boolean {
  return condition === 'AL' || (condition === 'SU' && isPositive) || (condition === 'ER' && !isPositive);
}

/** A code of no table is read as always: an answer too many does no harm. */
function conditionOf(text: string): AcknowledgmentCondition {
  if (text === '') return 'NE';
  return CONDITIONS.includes(text) ? (text as AcknowledgmentCondition) : 'AL';
}

/**
 * How the outcome of a message of enhanced mode goes back: as `deferredOnSameConnection` says; or else to the return destination; where there is
 * none on the connection after all, as long as the sender does not wait there for the acceptance. null: not at all.
 */
export function returnWayOf(
  mode: AcknowledgmentMode,
  { deferredOnSameConnection, returnDestinationId }: Hl7Source,
): 'connection' | 'destination' | null {
  if (deferredOnSameConnection) return 'connection';
  if (returnDestinationId !== null) return 'destination';
  return mode.kind === 'enhanced' && mode.accept === 'NE' ? 'connection' : null;
}

/** The sender asked for an application acknowledgment that has no way back. */
export const NO_RETURN = warned('message.no_return', { segment: 'MSH', sequence: 1, field: 16 });
