import type { BodyStructure } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { closuresEverOf } from '../../../core/followup/wound-closure.js';
import { CLOSURE_REASONS, type ClosureReason } from '../../../core/followup/wound.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
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

const CLOSED_BEFORE =
  'That closing was known, and the wound was reopened since: it stays open. Where it was closed anew, say when as closedAt.';
const REOPENED_BEFORE =
  'That reopening was known, and the wound was closed since: it stays closed. Where it was reopened anew, say when as reopenedAt.';

/**
 * What a person decided of a wound, as its BodyStructure says it. Leaving the extension out says nothing: who does not know it opens no wound again. Nor
 * does it say anything to repeat what was ever decided of the wound: who keeps an older copy writes it back with every change.
 */
@Injectable()
export class WoundClosings {
  /** By transaction the wounds of which it says what is so no longer. */
  private readonly outdated = new WeakMap<TenantTransaction, Map<string, string>>();

  constructor(
    private readonly wounds: WoundService,
    private readonly records: WoundRepository,
    private readonly zones: OrganizationZone,
    private readonly clock: ClinicalClock,
  ) {}

  /** Closes or reopens the wound where that is said newly. `auth.scope`; refusals as of the native door. */
  async apply(call: FhirCall, resource: BodyStructure): Promise<void> {
    const is = closingIn(resource);
    const woundId = resource.id!;
    if (is === null) return;
    if (await this.isKnown(call, woundId, is)) return this.noteOutdated(call, woundId, is);
    const { transaction, caller } = call;
    if (!hasScope(caller, 'analysis:review'))
      throw new SuturaError('auth.scope', {
        detail: 'Wounds are closed and reopened with a key that has analysis:review.',
      });
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

  /** The change with what `current` shows of closings, unless it says something newly. */
  async keeping(call: FhirCall, current: BodyStructure, next: BodyStructure): Promise<BodyStructure> {
    const [is, kept] = [closingIn(next), closingOf(current)];
    if (is !== null && !(await this.isKnown(call, current.id!, is))) return next;
    if (is !== null) await this.noteOutdated(call, current.id!, is);
    return is === null && kept === undefined ? next : withClosing(next, kept);
  }

  /** For who says a closing that was reopened since, or a reopening after which it was closed again. */
  advice({ transaction }: FhirCall, woundId: string): string[] {
    const told = this.outdated.get(transaction)?.get(woundId);
    return told === undefined ? [] : [told];
  }

  private async noteOutdated({ transaction }: FhirCall, woundId: string, is: StatedClosing): Promise<void> {
    const wound = await this.records.find(transaction, woundId);
    const isSaidClosed = is.reopenedAt === null;
    if (wound === null || isSaidClosed === (wound.status === 'closed')) return;
    const told = this.outdated.get(transaction) ?? new Map<string, string>();
    this.outdated.set(transaction, told.set(woundId, isSaidClosed ? CLOSED_BEFORE : REOPENED_BEFORE));
  }

  /** Whether it repeats a closing, or a reopening after it, that was ever decided of the wound, in whichever words. */
  private async isKnown({ transaction }: FhirCall, woundId: string, is: StatedClosing): Promise<boolean> {
    const closures = closuresEverOf(await this.records.history(transaction, woundId));
    if (closures.length === 0) return false;
    const zone = await this.zones.of(transaction);
    return closures.some(
      ({ reason = 'other', closedAt, reopenedAt }) =>
        reason === is.reason &&
        (is.closedAt === null || isMeantBy(is.closedAt, closedAt, zone)) &&
        (is.reopenedAt === null || (reopenedAt !== null && isMeantBy(is.reopenedAt, reopenedAt, zone))),
    );
  }

  /** Of a day its end, so that the photo by which the wound was closed lies before; none is later than now but by what was stated. */
  private async momentOf({ transaction }: FhirCall, text: string, part: 'closedAt' | 'reopenedAt'): Promise<Date> {
    const time = ClinicalTime.read(text);
    if (time === null || !(time.hasTimeOfDay || time.precision === 'day'))
      throw notPossible(PLACE, `State the day, or the moment, as ${part}.`);
    const { low, high } = time.spanIn(await this.zones.of(transaction));
    if (time.hasTimeOfDay) return low;
    const now = await this.clock.now(transaction);
    return low.getTime() <= now.getTime() && high.getTime() > now.getTime() ? now : high;
  }
}

/** Whether a moment is the one that a text says: of a day, by whose end the decision counts, any after its beginning. */
function isMeantBy(text: string, moment: string, timeZone: string): boolean {
  const time = ClinicalTime.read(text);
  if (time === null) return false;
  const [{ low, high }, at] = [time.spanIn(timeZone), Date.parse(moment)];
  if (time.hasTimeOfDay) return at >= low.getTime() && at < high.getTime();
  return at > low.getTime() && at <= high.getTime();
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
