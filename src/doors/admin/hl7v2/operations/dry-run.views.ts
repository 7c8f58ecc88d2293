import type { Bundle } from '@medplum/fhirtypes';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { ApplicationCode } from '../../../hl7v2/ack/acknowledgment-code.js';
import type { AcknowledgmentMode } from '../../../hl7v2/ack/acknowledgment-mode.js';
import type { MessageKind } from '../../../hl7v2/mapping/message-kinds.js';

/** The effects that a message would have. Nothing is stored, no photo is checked, nothing is charged. */
export interface DryRunView {
  readonly messageType: string;
  readonly controlId: string;
  readonly kind: MessageKind;
  readonly mode: AcknowledgmentMode['kind'];
  /** MSA-1 of the application acknowledgment, as far as the message alone decides it; null: it is not acknowledged. */
  readonly acknowledgment: ApplicationCode | null;
  readonly problems: readonly Hl7Problem[];
  /** The effects, a line each. */
  readonly effects: readonly string[];
  /** The message as FHIR; null: it changes nothing. */
  readonly bundle: Bundle | null;
}
