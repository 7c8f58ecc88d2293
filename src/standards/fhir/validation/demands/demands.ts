import {
  isPrimitiveType,
  tryGetDataType,
  type Constraint,
  type InternalSchemaElement,
  type InternalTypeSchema,
} from '../../definitions/medplum-core.js';
import type { RequiredValueSets } from '../../definitions/required-value-sets.js';
import { BUNDLE_RULES } from './bundle-rules.js';
import type { Demand } from './demand.js';
import { invariantCheck, isAsked } from './invariants.js';
import { FORMS } from './primitive-forms.js';
import {
  CANONICAL_URL,
  targetAtHand,
  mostCodes,
  OUTERMOST_EXTENSION,
  referenceType,
  RESOURCE_RULES,
  TYPE_RULES,
} from './type-rules.js';

/** Profiles of R4's own that its types name as if they were types (`SimpleQuantity`). */
const CORE_PROFILE = /^http:\/\/hl7\.org\/fhir\/StructureDefinition\/(SimpleQuantity|MoneyQuantity)$/;

/** What base R4 demands besides structure, formats and required bindings. `compiled/` and `demand-walk.ts` ask the same. */
export class Demands {
  private readonly resources = new Map<InternalTypeSchema, readonly Demand[]>();
  private readonly elements = new Map<InternalSchemaElement, Map<string, readonly Demand[]>>();

  constructor(private readonly valueSets: RequiredValueSets) {}

  /** Of a resource as such, wherever it stands. */
  ofResource(schema: InternalTypeSchema): readonly Demand[] {
    const known = this.resources.get(schema);
    if (known !== undefined) return known;
    const made = [
      ...invariants(schema.constraints, schema.name, schema),
      ...RESOURCE_RULES,
      ...(schema.elements['url']?.type[0]?.code === 'uri' ? [CANONICAL_URL] : []),
      ...(BUNDLE_RULES[schema.name] ?? []),
    ];
    this.resources.set(schema, made);
    return made;
  }

  /** Of each value of an element of this type, in an object of the type `within`. */
  ofElement(element: InternalSchemaElement, type: string, within: InternalTypeSchema): readonly Demand[] {
    const known = this.elements.get(element)?.get(type);
    if (known !== undefined) return known;
    const made = this.make(element, type, within);
    this.elements.set(element, (this.elements.get(element) ?? new Map<string, readonly Demand[]>()).set(type, made));
    return made;
  }

  /** Of what stands under `_name` where there is no value. */
  ofExtendedAlone({ constraints }: InternalSchemaElement): readonly Demand[] {
    return invariants(constraints?.filter(isOfContent), 'Element', undefined);
  }

  private make(element: InternalSchemaElement, type: string, within: InternalTypeSchema): readonly Demand[] {
    const schema = isPrimitiveType(type) ? undefined : schemaOf(type, within);
    const profiles = element.type.find(({ code }) => code === type)?.profile ?? [];
    const constraints = [
      // A value of a primitive type is content.
      ...(element.constraints ?? []).filter((each) => schema !== undefined || !isOfContent(each)),
      // Those of an element with members of its own are those of the element.
      ...(schema?.kind === 'complex-type' ? (schema.constraints ?? []) : []),
      ...profiles.flatMap((profile) => tryGetDataType(CORE_PROFILE.exec(profile)?.[1] ?? '')?.constraints ?? []),
    ];
    return [
      ...invariants(
        [...new Map(constraints.map((each) => [`${each.key} ${each.expression}`, each])).values()],
        type,
        schema,
      ),
      ...(TYPE_RULES[type] ?? []),
      ...(type === 'Extension' && within.name !== 'Extension' ? [OUTERMOST_EXTENSION] : []),
      ...(type === 'Reference' ? [referenceType(this.valueSets), ...targetAtHand(element)] : []),
      ...mostCodes(element, type, this.valueSets),
      ...(FORMS[type] ?? []),
    ];
  }
}

/** The type of an element: one within a type, or a type of its own. */
export function schemaOf(type: string, within: InternalTypeSchema): InternalTypeSchema | undefined {
  return within.innerTypes.find(({ name }) => name === type) ?? tryGetDataType(type);
}

function isOfContent({ key }: Constraint): boolean {
  return key === 'ele-1';
}

function invariants(
  constraints: readonly Constraint[] | undefined,
  type: string,
  schema: InternalTypeSchema | undefined,
): Demand[] {
  return (constraints ?? []).filter(isAsked).map((constraint) => ({
    check: invariantCheck(constraint, type, schema),
    code: 'invariant',
    details: `Constraint ${constraint.key} not met: ${constraint.description}`,
  }));
}
