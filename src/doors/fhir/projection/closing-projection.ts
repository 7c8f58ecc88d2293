import type { BodyStructure, Extension } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { closuresOf, type Closure } from '../../../core/followup/wound-closure.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { profileUrl } from '../../../reports/index.js';
import { ServiceResources } from './service-resources.js';

export const CLOSING_EXTENSION = profileUrl('wound-closing');
/** No place on earth is further from UTC, whichever zone a day was meant in. */
const FURTHEST_MS = 14 * 3_600_000;

/** That a person closed a wound, and perhaps reopened it, shown in its BodyStructure whichever door it came through. */
@Injectable()
export class ClosingProjection {
  constructor(
    private readonly resources: ServiceResources,
    private readonly wounds: WoundRepository,
  ) {}

  /** A further version of the BodyStructure that is there, where it says something else; what says the same stays in its sender's words. */
  async project(transaction: TenantTransaction, woundId: string): Promise<void> {
    const closure = await this.lastClosure(transaction, woundId);
    const shown = await this.resources.findForUpdate<BodyStructure>(transaction, 'BodyStructure', woundId);
    if (shown === null) return;
    const next = closure === null ? withoutClosing(shown.resource) : withClosure(shown.resource, closure);
    if (next !== shown.resource) await this.resources.write<BodyStructure>(transaction, shown, next);
  }

  /** With what was decided before, where the resource says nothing of it. */
  async complete(transaction: TenantTransaction, resource: BodyStructure): Promise<BodyStructure> {
    if (closingOf(resource) !== undefined) return resource;
    const closure = await this.lastClosure(transaction, resource.id!);
    return closure === null ? resource : withClosure(resource, closure);
  }

  private async lastClosure(transaction: TenantTransaction, woundId: string): Promise<Closure | null> {
    return closuresOf(await this.wounds.history(transaction, woundId)).at(-1) ?? null;
  }
}

/** The extension as it stands in a resource. */
export function closingOf({ extension }: BodyStructure): Extension | undefined {
  return extension?.find(({ url }) => url === CLOSING_EXTENSION);
}

/** The resource with this closing in place of what it says; undefined: with none. */
export function withClosing(resource: BodyStructure, closing: Extension | undefined): BodyStructure {
  const { extension = [], ...rest } = resource;
  const others = extension.filter(({ url }) => url !== CLOSING_EXTENSION);
  const at = extension.findIndex(({ url }) => url === CLOSING_EXTENSION);
  if (closing !== undefined) others.splice(at === -1 ? others.length : at, 0, closing);
  return others.length === 0 ? rest : { ...rest, extension: others };
}

/** What ended with a relation that was taken back was never closed. */
function withoutClosing(resource: BodyStructure): BodyStructure {
  return closingOf(resource) === undefined ? resource : withClosing(resource, undefined);
}

function withClosure(resource: BodyStructure, closure: Closure): BodyStructure {
  const closing = closingOf(resource);
  const isSaid = closing !== undefined && saysOfClosing(closing, closure);
  if (isSaid && saysOfReopening(closing, closure)) return resource;
  const parts = isSaid ? closing.extension!.filter(({ url }) => url !== 'reopenedAt') : partsOf(closure);
  const { reopenedAt } = closure;
  const reopening = reopenedAt === null ? [] : [{ url: 'reopenedAt', valueDateTime: reopenedAt }];
  return withClosing(resource, { url: CLOSING_EXTENSION, extension: [...parts, ...reopening] });
}

function saysOfClosing({ extension }: Extension, { closedAt, reason = 'other' }: Closure): boolean {
  const closed = extension?.find(({ url }) => url === 'closedAt')?.valueDateTime;
  const isReason = extension?.some(({ url, valueCode }) => url === 'reason' && valueCode === reason) === true;
  return isReason && (closed === undefined || isAbout(closed, closedAt));
}

function saysOfReopening({ extension }: Extension, { reopenedAt }: Closure): boolean {
  const reopened = extension?.find(({ url }) => url === 'reopenedAt')?.valueDateTime;
  if (reopened === undefined || reopenedAt === null) return reopened === undefined && reopenedAt === null;
  return isAbout(reopened, reopenedAt);
}

/** A day holds the moment that it stood for, in whichever zone. */
function isAbout(text: string, moment: string): boolean {
  const time = ClinicalTime.read(text);
  if (time === null) return false;
  const { low, high } = time.spanIn('UTC');
  const [slack, atMs] = [time.hasTimeOfDay ? 0 : FURTHEST_MS, Date.parse(moment)];
  return atMs >= low.getTime() - slack && atMs <= high.getTime() + slack;
}

function partsOf({ closedAt, reason = 'other' }: Closure): Extension[] {
  return [
    { url: 'reason', valueCode: reason },
    { url: 'closedAt', valueDateTime: closedAt },
  ];
}
