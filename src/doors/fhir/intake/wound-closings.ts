import type { BodyStructure } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { CLOSURE_REASONS, type ClosureReason } from '../../../core/followup/wound.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { Clock } from '../../../core/ports/clock.js';
import { isSameJson } from '../../../core/report/same-content.js';
import { hasScope } from '../../../core/tenancy/api-key.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { WoundService } from '../../../core/wounds/wound.service.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import type { FhirCall } from '../call/fhir-call.js';
import { CLOSING_EXTENSION, closingOf, withClosing } from '../projection/closing-projection.js';
import { OrganizationZone } from '../search/organization-zone.js';

const PLACE = 'BodyStructure.extension';

/** As the extension says it, in its sender's words. */
interface StatedClosing {
  readonly reason: ClosureReason;
  /** null: now. */
  readonly closedAt: string | null;
  /** null: it is closed. */
  readonly reopenedAt: string | null;
}

/** What a person decided of a wound, as its BodyStructure says it. Leaving the extension out says nothing: who does not know it opens no wound again. */
@Injectable()
export class WoundClosings {
  constructor(
    private readonly wounds: WoundService,
    private readonly records: WoundRepository,
    private readonly zones: OrganizationZone,
    private readonly clock: Clock,
  ) {}

  /** Closes or reopens the wound where that is said newly. `auth.scope`; refusals as of the native door. */
  async apply(call: FhirCall, before: BodyStructure | null, after: BodyStructure): Promise<void> {
    const is = closingIn(after);
    if (is === null || isSameJson(is, before === null ? null : closingIn(before))) return;
    const { transaction, caller } = call;
    if (!hasScope(caller, 'analysis:review'))
      throw new SuturaError('auth.scope', {
        detail: 'Wounds are closed and reopened with a key that has analysis:review.',
      });
    const woundId = after.id!;
    const wound = await this.records.find(transaction, woundId);
    const by = { reviewer: null, note: null, enteredBy: caller.person };
    if (is.reopenedAt !== null) {
      const decidedAt = await this.momentOf(call, is.reopenedAt, 'reopenedAt');
      await this.wounds.reopen(transaction, woundId, { ...by, decidedAt });
      return;
    }
    if (wound?.status === 'closed')
      throw notPossible(PLACE, 'The wound is closed already, which is said once. Say when it was reopened first.');
    const decidedAt = is.closedAt === null ? null : await this.momentOf(call, is.closedAt, 'closedAt');
    await this.wounds.close(transaction, woundId, { ...by, reason: is.reason, decidedAt });
  }

  /** Of a day its end, so that the photo by which the wound was closed lies before; none is later than now but by what was stated. */
  private async momentOf({ transaction }: FhirCall, text: string, part: 'closedAt' | 'reopenedAt'): Promise<Date> {
    const time = ClinicalTime.read(text);
    if (time === null || !(time.hasTimeOfDay || time.precision === 'day'))
      throw notPossible(PLACE, `State the day, or the moment, as ${part}.`);
    const { low, high } = time.spanIn(await this.zones.of(transaction));
    if (time.hasTimeOfDay) return low;
    const now = this.clock.now();
    return low.getTime() <= now.getTime() && high.getTime() > now.getTime() ? now : high;
  }
}

/**
 * What leaves the closing out says nothing of it, and what repeats a closing that was reopened since does not close the wound again: who keeps an older
 * copy writes it back with every change.
 */
export function keepingClosing(current: BodyStructure, next: BodyStructure): BodyStructure {
  const [kept, before, after] = [closingOf(current), closingIn(current), closingIn(next)];
  if (kept === undefined || before === null) return next;
  const isRepeated =
    after !== null &&
    isSameJson({ ...after, reopenedAt: null }, { ...before, reopenedAt: null }) &&
    after.reopenedAt === null;
  return after === null || isRepeated ? withClosing(next, kept) : next;
}

/** null: nothing is said. `fhir.business_rule` for a reason that is none. */
export function closingIn({ extension }: BodyStructure): StatedClosing | null {
  const stated = extension?.find(({ url }) => url === CLOSING_EXTENSION)?.extension;
  if (stated === undefined) return null;
  const part = (name: string) => stated.find(({ url }) => url === name);
  const reason = CLOSURE_REASONS.find((one) => one === part('reason')?.valueCode);
  if (reason === undefined) throw notPossible(PLACE, `The reason of closing is one of ${CLOSURE_REASONS.join(', ')}.`);
  return {
    reason,
    closedAt: part('closedAt')?.valueDateTime ?? null,
    reopenedAt: part('reopenedAt')?.valueDateTime ?? null,
  };
}
