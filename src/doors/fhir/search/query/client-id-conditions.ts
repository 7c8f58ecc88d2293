import type { FhirCall } from '../../call/fhir-call.js';
import type { ResourceFinder } from '../../../../standards/fhir/store/resource-finder.js';
import type { ResourceTarget } from '../../../../standards/fhir/store/resource-store.js';
import type { Condition, Related } from '../../../../standards/fhir/search-index/search-condition.js';

/** Translates conditions that name a resource by a client's own id, `_id=abc` or `subject=Patient/abc`, into ids of this server. */
export class ClientIdConditions {
  constructor(private readonly finder: ResourceFinder) {}

  /** Asks the database once, and only where an id is named. */
  async resolve(call: FhirCall, type: string, where: readonly Condition[]): Promise<readonly Condition[]> {
    const targets = where.flatMap((condition) => targetsOf(condition, type));
    if (targets.length === 0) return where;
    const known = await this.finder.resolve(call.transaction, targets);
    return known.size === 0 ? where : where.map((condition) => withIds(condition, type, known));
  }
}

function targetsOf(condition: Condition, type: string): ResourceTarget[] {
  const named = ((): ResourceTarget[] => {
    if (condition.kind === 'ids') return condition.ids.map((id) => ({ type, id }));
    return condition.kind === 'references'
      ? condition.any.flatMap(({ targetType, targetId }) =>
          targetType === '' ? [] : [{ type: targetType, id: targetId }],
        )
      : [];
  })();
  return [
    ...named,
    ...relatedOf(condition).flatMap((related) => related.where.flatMap((each) => targetsOf(each, related.type))),
  ];
}

function withIds(condition: Condition, type: string, known: ReadonlyMap<string, string>): Condition {
  const hereOf = (of: string, id: string): string => known.get(`${of}/${id}`) ?? id;
  const within = (related: Related): Related => ({
    ...related,
    where: related.where.map((each) => withIds(each, related.type, known)),
  });
  switch (condition.kind) {
    case 'ids':
      return { ...condition, ids: condition.ids.map((id) => hereOf(type, id)) };
    case 'references':
      return {
        ...condition,
        any: condition.any.map((match) => ({ ...match, targetId: hereOf(match.targetType, match.targetId) })),
      };
    case 'targets':
      return { ...condition, any: condition.any.map(within) };
    case 'referrers':
      return { ...condition, by: within(condition.by) };
    case 'author':
    case 'dates':
    case 'present':
    case 'quantities':
    case 'strings':
    case 'terms':
      return condition;
  }
}

function relatedOf(condition: Condition): readonly Related[] {
  if (condition.kind === 'targets') return condition.any;
  return condition.kind === 'referrers' ? [condition.by] : [];
}
