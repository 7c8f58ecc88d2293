import { warned } from '../../../standards/hl7v2/problems/problem-catalogue.js';
import type { MessageHeader } from '../../../standards/hl7v2/er7/er7-message.js';
import type { Hl7Source } from '../mapping/reading/hl7-source.js';

/** HL7 table 0155: always, never, on error, on success. */
export type AcknowledgmentCondition = 'AL' | 'NE' | 'ER' | 'SU';

/** The way in which a message is answered. */
export type AcknowledgmentMode =
  /** One application acknowledgment, after the commit. */
  | { readonly kind: 'original' }
  /**
   * An accept acknowledgment once the message is safe, and an application acknowledgment as a message of its own, each
   * where it is asked for.
   */
  | {
      readonly kind: 'enhanced';
      readonly accept: AcknowledgmentCondition;
      readonly application: AcknowledgmentCondition;
    };

const CONDITIONS: readonly string[] = ['AL', 'NE', 'ER', 'SU'];

/**
 * The mode by MSH-15 and MSH-16, unless the source has a mode of its own. One of them valued makes the mode enhanced;
 * the empty one then means never. `enhanced` by setting, both fields empty: accept always, application never.
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

/** An unknown code is read as always: a superfluous answer does no harm. */
function conditionOf(text: string): AcknowledgmentCondition {
  if (text === '') return 'NE';
  return CONDITIONS.includes(text) ? (text as AcknowledgmentCondition) : 'AL';
}

/**
 * The way back of an application acknowledgment in enhanced mode: the connection where `deferredOnSameConnection` is
 * set, else the return destination, else the connection if the sender does not wait there for an accept acknowledgment.
 * null: none.
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
