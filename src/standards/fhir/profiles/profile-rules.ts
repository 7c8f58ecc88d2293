import type {
  ElementDefinition,
  ElementDefinitionConstraint,
  ElementDefinitionType,
  StructureDefinition,
} from '@medplum/fhirtypes';

/** A discriminator is a value or pattern at `$this` or at a direct child. */
interface Slicing {
  readonly paths: readonly string[];
}

/** The rules of a profile for one element. */
export interface ElementRules {
  /** The element's name, with `[x]` for a choice. */
  readonly name: string;
  min: number;
  max: number;
  pattern?: unknown;
  fixed?: unknown;
  types?: readonly ElementDefinitionType[];
  constraints: readonly ElementDefinitionConstraint[];
  /** Required bindings to a value set of our own. */
  valueSet?: string;
  slicing?: Slicing;
  readonly slices: Map<string, ElementRules>;
  readonly children: Map<string, ElementRules>;
}

const UNDERSTOOD = new Set([
  'id',
  'path',
  'sliceName',
  'short',
  'definition',
  'comment',
  'min',
  'max',
  'mustSupport',
  'type',
  'slicing',
  'constraint',
  'binding',
]);

/**
 * A profile's differential as a tree of rules. The base structure is checked before, so that only what the profile adds is walked:
 * microseconds, where parsing its snapshot for each resource takes a millisecond. Throws for anything that would not be enforced.
 */
export function compileProfile(profile: StructureDefinition): ElementRules {
  const root = openRules(profile.type);
  for (const element of profile.differential?.element ?? [])
    applyElement(findOrMake(root, element), element, profile.url);
  return root;
}

function openRules(name: string): ElementRules {
  return { name, min: 0, max: Infinity, constraints: [], slices: new Map(), children: new Map() };
}

/** `Observation.component:days.value[x]`: from the root by children, at a colon into the slice. */
function findOrMake(root: ElementRules, { id }: ElementDefinition): ElementRules {
  return id!
    .split('.')
    .slice(1)
    .reduce((rules, step) => {
      const [name, slice] = step.split(':') as [string, string | undefined];
      const element = memberOf(rules.children, name, name);
      return slice === undefined ? element : memberOf(element.slices, slice, name);
    }, root);
}

function memberOf(members: Map<string, ElementRules>, key: string, name: string): ElementRules {
  const known = members.get(key);
  if (known !== undefined) return known;
  const made = openRules(name);
  members.set(key, made);
  return made;
}

function applyElement(rules: ElementRules, element: ElementDefinition, url: string): void {
  for (const [key, value] of Object.entries(element)) {
    if (key.startsWith('pattern')) rules.pattern = value;
    else if (key.startsWith('fixed')) rules.fixed = value;
    else if (!UNDERSTOOD.has(key)) throw new Error(`${url}: "${key}" at ${element.id!} would not be enforced.`);
  }
  rules.min = element.min ?? rules.min;
  rules.max = element.max === undefined ? rules.max : element.max === '*' ? Infinity : Number(element.max);
  rules.types = element.type ?? rules.types;
  rules.constraints = element.constraint?.filter(({ severity }) => severity === 'error') ?? rules.constraints;
  if (element.binding?.strength === 'required') rules.valueSet = element.binding.valueSet!;
  if (element.slicing !== undefined) rules.slicing = toSlicing(element, url);
}

function toSlicing({ id, slicing }: ElementDefinition, url: string): Slicing {
  const discriminators = slicing!.discriminator ?? [];
  const enforceable = discriminators.every(
    ({ type, path }) => (type === 'value' || type === 'pattern') && !path!.includes('.'),
  );
  if (!enforceable || slicing!.rules !== 'open')
    throw new Error(`${url}: the slicing of ${id!} would not be enforced.`);
  return { paths: discriminators.map(({ path }) => path!) };
}
