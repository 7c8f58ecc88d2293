import type { Resource } from '@medplum/fhirtypes';
import { tryGetDataType } from '../../../../standards/fhir/definitions/medplum-core.js';
import type { ResultOptions } from '../query/result-options.js';

const SUBSETTED = { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' };
/** Never removed: the identity of a resource, and elements that change its meaning. */
const ALWAYS = ['resourceType', 'id', 'meta', 'implicitRules', 'modifierExtension'];

/** The part of a resource that `_summary` and `_elements` keep: of its elements at the root, those that R4 marks as summary, or those that are named. */
export function subsetResource<T extends Resource>(
  resource: T,
  { summary, elements }: Pick<ResultOptions, 'summary' | 'elements'>,
): T {
  const keep = keptBy(resource.resourceType, summary, elements);
  if (keep === null) return resource;
  const kept = Object.entries(resource).filter(([name]) => keep(name.replace(/^_/, '')));
  const tag = [
    ...(resource.meta?.tag ?? []).filter(({ system, code }) => system !== SUBSETTED.system || code !== SUBSETTED.code),
    SUBSETTED,
  ];
  return { ...(Object.fromEntries(kept) as T), meta: { ...resource.meta, tag } };
}

/** null: everything. */
function keptBy(
  type: string,
  summary: ResultOptions['summary'],
  elements: readonly string[] | null,
): ((name: string) => boolean) | null {
  const schema = tryGetDataType(type);
  const among = (names: Iterable<string>): ((name: string) => boolean) => {
    const all = [...ALWAYS, ...(schema?.mandatoryProperties ?? []), ...names].map((name) => name.replace('[x]', ''));
    return (name) => all.some((each) => name === each || isChoice(schema, name, each));
  };
  if (elements !== null) return among(elements);
  if (summary === 'true') return among(schema?.summaryProperties ?? []);
  if (summary === 'text') return among(['text']);
  return summary === 'data' ? (name) => name !== 'text' : null;
}

/** valueQuantity is one of value[x]. */
function isChoice(schema: ReturnType<typeof tryGetDataType>, name: string, choice: string): boolean {
  return (
    name.startsWith(choice) &&
    schema?.elements[`${choice}[x]`] !== undefined &&
    /^[A-Z]/.test(name.slice(choice.length))
  );
}
