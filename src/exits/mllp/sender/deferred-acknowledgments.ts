import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { LONGEST_WORDS, noted } from '../../kit/index.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import { Logger } from '../../../platform/logging/logger.js';
import type { AnnouncedProblem } from '../../../standards/hl7v2/mllp/acknowledgment.js';
import { MessageEncryption } from '../../../standards/hl7v2/encryption/message-encryption.js';
import { DestinationRegister } from '../destinations/destination-register.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { answerTerms, sealAnswer } from '../outbox/answer-encryption.js';

/** An acknowledgment that did not come as the answer to the message in flight. */
export interface LateAnswer {
  /** MSA-1. */
  readonly code: 'AA' | 'AE' | 'AR' | 'CA' | 'CE' | 'CR';
  /** MSA-2: our MSH-10. */
  readonly controlId: string;
  /** MSA-3 and ERR. */
  readonly text: string;
  readonly problems: readonly AnnouncedProblem[];
}

/** With MSH-3 and MSH-4 of the acknowledgment: control ids are counted by destination, so that two may have the same. */
export interface AnswerFromOutside extends LateAnswer {
  readonly sendingApplication: string;
  readonly sendingFacility: string;
}

const FIND = 'select id from hl7_outbox where destination_id = $1 and control_id = $2';
const HOLDERS = `select distinct destination_id as id from hl7_outbox where organization_id = $1 and environment = $2 and control_id = $3`;
/** Single statements: the attempt may be recorded concurrently, before or after. */
const RECEIVED = `update hl7_outbox set delivered_at = sutura_now(), ack_code = $2, fault = null, state = case when application_code in ('AE', 'AR') then 'parked' else 'delivered' end,
    parked_for = case when application_code in ('AE', 'AR') then 'refused_later' end
  where id = $1 and state <> 'delivered' and attempts > 0`;
const ACCEPTED = `update hl7_outbox set application_code = case when state = 'delivered' then $2 end, answer = null, delivered_at = coalesce(delivered_at, sutura_now()),
    ack_code = case when state = 'delivered' then ack_code else $2 end, state = 'delivered', fault = null, parked_for = null
  where id = $1 and attempts > 0 and (state <> 'delivered' or application_code is distinct from $2)`;
/** The history with the accept acknowledgment, if it is recorded already. */
const ACCEPTED_BEFORE = `case when state <> 'delivered' then history
    else sutura_noted(history, jsonb_build_object('at', delivered_at, 'what', 'delivered', 'attempt', attempts, 'answer', ack_code)) end`;
/** Kept if the attempt is not recorded yet: applied with its accept acknowledgment, dropped by another attempt. */
const REFUSED = `update hl7_outbox set application_code = $2, answer = $3, answer_terms = $4,
    history = ${noted('refused_later', "'answer', $2::text, 'said', encode($5::bytea, 'base64')", ACCEPTED_BEFORE)}, state = case when state = 'delivered' then 'parked' else state end,
    parked_for = case when state = 'delivered' then 'refused_later' end
  where id = $1 and ((state = 'delivered' and ack_code = 'CA') or (state = 'waiting' and not unsent))`;

/** Matches late acknowledgments, and the second ones of enhanced mode, to their messages. */
@Injectable()
export class DeferredAcknowledgments {
  constructor(
    private readonly statements: SystemStatements,
    private readonly destinations: DestinationRegister,
    private readonly encryption: MessageEncryption,
    private readonly logger: Logger,
  ) {}

  /** For an acknowledgment over a destination's own connection. False: no message of ours has this control id. */
  async take({ id: destinationId }: Pick<Hl7Destination, 'id'>, answer: LateAnswer): Promise<boolean> {
    const { code, controlId } = answer;
    const row = (await this.statements.run<{ id: string }>(FIND, [destinationId, controlId])).rows[0];
    this.logger.info('hl7.late_acknowledgment', { destinationId, ackCode: code, matched: row !== undefined });
    if (row === undefined) return false;
    await this.settle(row.id, answer);
    return true;
  }

  /**
   * For an acknowledgment by a listener of ours, or over HTTP. False: it belongs to no message of this tenant, or to messages of several
   * destinations of which none, or more than one, bears its sender's name.
   */
  async applicationAcknowledged(tenant: Tenant, answer: AnswerFromOutside): Promise<boolean> {
    const { rows } = await this.statements.run<{ id: string }>(HOLDERS, [
      tenant.organizationId,
      tenant.environment,
      answer.controlId,
    ]);
    const holders = new Set(rows.map(({ id }) => id));
    const known = (await this.destinations.ofTenant(tenant)).filter(({ id }) => holders.has(id));
    const called = known.filter(
      ({ settings }) =>
        settings.receivingApplication === answer.sendingApplication &&
        settings.receivingFacility === answer.sendingFacility,
    );
    const [destination] = known.length === 1 ? known : called;
    if (destination === undefined || (known.length > 1 && called.length > 1)) return false;
    return this.take(destination, answer);
  }

  /**
   * A positive acknowledgment, however late, means that the receiver has the message. A negative one after an accept acknowledgment: the application rejected the message, which is parked for an operator. Any other is handled with its attempt.
   */
  private async settle(id: string, { code, ...said }: LateAnswer): Promise<void> {
    switch (code) {
      case 'CA':
        await this.statements.run(RECEIVED, [id, code]);
        return;
      case 'AA':
        await this.statements.run(ACCEPTED, [id, code]);
        return;
      case 'AE':
      case 'AR': {
        const answer = sealAnswer(this.encryption, id, said);
        const words = answer !== null && answer.length <= LONGEST_WORDS ? answer : null;
        await this.statements.run(REFUSED, [id, code, answer, answerTerms(this.encryption, said, code), words]);
        return;
      }
      case 'CE':
      case 'CR':
    }
  }
}
