import { setTimeout as delay } from 'node:timers/promises';
import { isSuturaError } from '../../../../core/errors/sutura-error.js';
import type { Caller, Scope } from '../../../../core/tenancy/api-key.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import type { Logger } from '../../../../platform/logging/logger.js';
import type { MessageHeader } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { warned } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import type { AppliedBundle } from '../../../../standards/hl7v2/records/clinical-records.js';
import { isAccepted } from '../../mapping/header-check.js';
import { asksInVain, messageKindOf } from '../../mapping/message-kinds.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { InboundRecord } from '../store/inbound-record.js';

/**
 * Conflicts with concurrent changes of the record. The message is planned again from the start, since its effect may
 * differ now.
 */
const REPEATED = ['service.unavailable', 'fhir.version_conflict', 'fhir.duplicate'] as const;
const TRIES = 3;
const PAUSE_MS = 40;

/** Whether the record was changed meanwhile: read again, the message may mean something else now. */
export function isOvertaken(fault: unknown): boolean {
  return isSuturaError(fault, ...REPEATED);
}

/** Does the work again where the record was changed meanwhile; `isLast`: not again after this. */
export async function withTries<T>(logger: Logger, work: (isLast: boolean) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt === TRIES);
    } catch (fault) {
      if (attempt === TRIES || !isOvertaken(fault)) throw fault;
      logger.debug('hl7.message_repeated', { attempt });
      await delay(PAUSE_MS * attempt * (0.5 + Math.random()));
    }
  }
}

const DELETIONS: readonly string[] = ['A23', 'A29'];

/** The warnings for a message that is kept without effect; null: it is to be carried out. */
export function withoutEffectBy(header: MessageHeader, { acceptedMessages }: Hl7Source): Hl7Problem[] | null {
  const place = { segment: 'MSH', sequence: 1, field: 9, repetition: 1, component: 2 };
  if (messageKindOf(header) === 'kept')
    return asksInVain(header)
      ? [
          warned(
            'message.not_carried_out',
            place,
            DELETIONS.includes(header.triggerEvent)
              ? 'This event is kept and not carried out: nothing was deleted. A record is erased by its organization.'
              : 'This event is kept and not carried out. Records of patients are joined by A40.',
          ),
        ]
      : [];
  return isAccepted(header, acceptedMessages)
    ? null
    : [
        warned(
          'message.not_carried_out',
          place,
          'This event is not on the list of this connection (acceptedMessages). It was kept and changed nothing.',
        ),
      ];
}

/** Whether the content is at fault, so that the same message would be refused again. */
export function isRefusal(fault: unknown): boolean {
  if (!isSuturaError(fault)) return false;
  return !['internal', 'unavailable', 'storage_full'].includes(fault.kind);
}

export function isError({ severity }: Hl7Problem): boolean {
  return severity === 'error';
}

/** A listener speaks for its organization, in what people decided of wounds as well; a key by its scopes. */
export function callerOf(record: InboundRecord): Caller {
  const { keyId, id, address, mayReview } = record;
  return {
    ...tenantOf(record),
    keyId,
    scopes: ['images:write', 'analysis:write', 'analysis:read', ...(mayReview ? REVIEWING : [])],
    origin: { requestId: id, address },
  };
}

const REVIEWING: readonly Scope[] = ['analysis:review'];

export function waitingForQuota({ waitsForQuotaUntil }: AppliedBundle): Hl7Problem[] {
  if (waitsForQuotaUntil === null) return [];
  const text = `Stored. The daily analyses are used up, so it waits for quota until ${waitsForQuotaUntil.toISOString()}.`;
  return [{ severity: 'warning', condition: '207', place: null, code: 'quota.exceeded', text }];
}
