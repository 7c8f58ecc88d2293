import type { BodyStructure, Extension } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { RELATION_KINDS, type RelationKind, type WoundRelation } from '../../../core/followup/wound-relation.js';
import { WoundRelationRepository } from '../../../core/followup/wound-relation.repository.js';
import type { Reviewer } from '../../../core/followup/wound.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { profileUrl } from '../../../reports/index.js';
import { OrganizationZone } from '../search/organization-zone.js';
import { ServiceResources } from './service-resources.js';

/** Of a BodyStructure: it grew out of others, or fell into them. */
export const RELATION_EXTENSION = profileUrl('wound-relation');

/** Wounds that grew together, and one that fell apart, shown in the BodyStructure of the whole, whichever door it came through. */
@Injectable()
export class RelationProjection {
  constructor(
    private readonly resources: ServiceResources,
    private readonly relations: WoundRelationRepository,
    private readonly zones: OrganizationZone,
  ) {}

  /** A further version of the BodyStructure that is there, where it says something else; what says the same stays in its sender's words. */
  async project(transaction: TenantTransaction, woundId: string): Promise<void> {
    const ever = await this.everOf(transaction, woundId);
    if (ever.length === 0) return;
    const shown = await this.resources.findForUpdate<BodyStructure>(transaction, 'BodyStructure', woundId);
    if (shown === null) return;
    const next = completed(shown.resource, ever, await this.zones.of(transaction));
    if (next !== shown.resource) await this.resources.write<BodyStructure>(transaction, shown, next);
  }

  /** With the relations that stand, in the words of `before` where it shows them, and without those that were taken back. What is said newly stays. */
  async complete(
    transaction: TenantTransaction,
    resource: BodyStructure,
    before: BodyStructure | null,
  ): Promise<BodyStructure> {
    return completed(
      resource,
      await this.everOf(transaction, resource.id!),
      await this.zones.of(transaction),
      before?.extension,
    );
  }

  /** Of which the wound is the whole, withdrawn ones too. */
  async everOf(transaction: TenantTransaction, woundId: string): Promise<WoundRelation[]> {
    return (await this.relations.ofWound(transaction, woundId)).filter(({ wholeId }) => wholeId === woundId);
  }
}

/** A relation as an extension says it, in its sender's words. */
export interface SentRelation {
  readonly kind: RelationKind | undefined;
  readonly partIds: readonly string[];
  /** FHIR dateTime. */
  readonly at: string | undefined;
  readonly note: string | null;
  readonly by: Reviewer | null;
  readonly isTakenBack: boolean;
}

/** undefined: another extension. */
export function sentRelation({ url, extension = [] }: Extension): SentRelation | undefined {
  if (url !== RELATION_EXTENSION) return undefined;
  const part = (name: string) => extension.find((one) => one.url === name);
  const partIds = extension
    .filter((one) => one.url === 'part')
    .map(({ valueReference }) => /^BodyStructure\/([^/]+)/.exec(valueReference?.reference ?? '')?.[1] ?? '');
  return {
    kind: RELATION_KINDS.find((kind) => kind === part('kind')?.valueCode),
    partIds: [...new Set(partIds)],
    at: part('at')?.valueDateTime,
    note: part('note')?.valueString ?? null,
    by: personOf(part('by')),
    isTakenBack: part('takenBack')?.valueBoolean === true,
  };
}

/** Whether it is about this relation, in whichever words: a day is about the moments of it by the clocks of `timeZone`, in which it was stated, and of no other day. */
export function isAbout({ kind, partIds, at }: SentRelation, relation: WoundRelation, timeZone: string): boolean {
  const time = ClinicalTime.read(at);
  const parts = (ids: readonly string[]) => [...ids].sort().join(' ');
  if (time === null || kind !== relation.kind || parts(partIds) !== parts(relation.partIds)) return false;
  const [{ low, high }, moment] = [time.spanIn(timeZone), relation.at.getTime()];
  return time.hasTimeOfDay ? low.getTime() === moment : moment >= low.getTime() && moment < high.getTime();
}

/** The same object where nothing is to be said otherwise. */
function completed(
  resource: BodyStructure,
  ever: readonly WoundRelation[],
  timeZone: string,
  before: readonly Extension[] = [],
): BodyStructure {
  const { extension = [], ...rest } = resource;
  const kept = extension.filter((one) => {
    const said = sentRelation(one);
    const about = said === undefined ? [] : ever.filter((relation) => isAbout(said, relation, timeZone));
    return about.length === 0 || about.some(({ withdrawal }) => withdrawal === null);
  });
  const lacking = ever.filter((relation) => relation.withdrawal === null && !kept.some(isAboutOf(relation, timeZone)));
  if (lacking.length === 0 && kept.length === extension.length) return resource;
  const next = [
    ...kept,
    ...lacking.map((relation) => before.find(isAboutOf(relation, timeZone)) ?? toExtension(relation)),
  ];
  return next.length === 0 ? rest : { ...rest, extension: next };
}

/** Whether an extension says this relation, or takes it back. */
function isAboutOf(relation: WoundRelation, timeZone: string): (one: Extension) => boolean {
  return (one) => {
    const said = sentRelation(one);
    return said !== undefined && isAbout(said, relation, timeZone);
  };
}

function toExtension({ kind, partIds, at, note, by }: WoundRelation): Extension {
  return {
    url: RELATION_EXTENSION,
    extension: [
      { url: 'kind', valueCode: kind },
      ...partIds.map((id) => ({ url: 'part', valueReference: { reference: `BodyStructure/${id}` } })),
      { url: 'at', valueDateTime: at.toISOString() },
      ...(note === null || note.trim() === '' ? [] : [{ url: 'note', valueString: note }]),
      ...(by === null ? [] : [{ url: 'by', valueReference: toPerson(by) }]),
    ],
  };
}

function toPerson({ id, name, system }: Reviewer): NonNullable<Extension['valueReference']> {
  return { identifier: { ...(system === undefined ? {} : { system }), value: id }, display: name };
}

function personOf(by: Extension | undefined): Reviewer | null {
  const { identifier, reference, display } = by?.valueReference ?? {};
  const id = identifier?.value ?? reference;
  if (id === undefined) return null;
  const { system } = identifier ?? {};
  return { id, name: display ?? id, ...(system === undefined ? {} : { system }) };
}
