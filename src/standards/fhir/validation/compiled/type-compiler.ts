import { MAX_DEPTH } from '../json-form-check.js';
import {
  isPrimitiveType,
  type InternalSchemaElement,
  type InternalTypeSchema,
} from '../../definitions/medplum-core.js';
import type { R4Definitions } from '../../definitions/r4-definitions.js';
import { allOf, LOOK_CLOSER, type Check, type Members } from '../check.js';
import { schemaOf, type Demands } from '../demands/demands.js';
import { bindingChecks, countCheck, referenceChecks, requiredValueSet } from './element-check.js';
import { primitiveCheck } from './primitive-check.js';

/** A key that an object may have in JSON. */
interface Member {
  readonly check: Check;
  /** The bit of the choice that it is one of; of each choice, an object has one. 0: it is none. */
  readonly choice: number;
}

const CHOICE = '[x]';
/** Bits of a JavaScript number that are used for choices. */
const MAX_CHOICES = 30;

/** Types of R4 as checks, each made of Medplum's schema of it when it is first met. */
export class TypeCompiler {
  private readonly compiled = new Map<InternalTypeSchema, Check>();

  constructor(
    private readonly definitions: R4Definitions,
    private readonly demands: Demands,
    /** The checks of a place that holds any resource: contained in the one around it, or for itself. */
    private readonly held: { readonly contained: Check; readonly alone: Check },
  ) {}

  /** Objects of a type; what is demanded of it is asked where it stands. */
  checkOf(schema: InternalTypeSchema): Check {
    const known = this.compiled.get(schema);
    if (known !== undefined) return known;
    const check = objectCheck(this.membersOf(schema), requiredKeys(schema), schema.kind !== 'resource');
    this.compiled.set(schema, check);
    return check;
  }

  private membersOf(schema: InternalTypeSchema): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    const choices = Object.keys(schema.elements).filter(isChoice).map(baseOf);
    if (choices.length > MAX_CHOICES) return members;
    for (const [name, element] of Object.entries(schema.elements)) {
      if (isChoice(name)) this.addChoice(baseOf(name), element, schema, choices, members);
      else if (!choices.some((base) => isOneOf(name, base))) this.addPlain(name, element, schema, members);
    }
    if (schema.kind === 'resource')
      members.set('resourceType', { check: (value) => typeof value === 'string', choice: 0 });
    return members;
  }

  private addPlain(
    name: string,
    element: InternalSchemaElement,
    schema: InternalTypeSchema,
    members: Map<string, Member>,
  ): void {
    const type = element.type[0]?.code ?? '';
    members.set(name, { check: this.elementCheck(name, element, type, schema), choice: 0 });
    // A list, or a rule on the value together with its extensions, is left to the exact way.
    const mayBeExtended =
      isPrimitiveType(type) &&
      element.isArray !== true &&
      (element.constraints ?? []).every(({ key }) => key === 'ele-1') &&
      requiredValueSet(element, type) === undefined;
    const extended = allOf([
      this.nested('Element', schema),
      ...this.demands.ofExtendedAlone(element).map(({ check }) => check),
    ]);
    if (mayBeExtended) members.set(`_${name}`, { check: extended, choice: 0 });
  }

  private addChoice(
    base: string,
    element: InternalSchemaElement,
    schema: InternalTypeSchema,
    choices: readonly string[],
    members: Map<string, Member>,
  ): void {
    const choice = 1 << choices.indexOf(base);
    for (const { code } of element.type) {
      const key = `${base}${code.charAt(0).toUpperCase()}${code.slice(1)}`;
      const isClear = choices.every((other) => other === base || !isOneOf(key, other));
      if (isClear) members.set(key, { check: this.elementCheck(key, element, code, schema), choice });
    }
  }

  private elementCheck(key: string, element: InternalSchemaElement, type: string, schema: InternalTypeSchema): Check {
    // Base definitions have none of these.
    if (element.fixed !== undefined || element.pattern !== undefined || element.slicing !== undefined)
      return LOOK_CLOSER;
    const one = allOf([
      this.valueCheck(key, type, schema),
      ...referenceChecks(element, type),
      ...bindingChecks(element, type, this.definitions.valueSets),
      ...this.demands.ofElement(element, type, schema).map(({ check }) => check),
    ]);
    return countCheck(element, one);
  }

  private valueCheck(key: string, type: string, schema: InternalTypeSchema): Check {
    if (isPrimitiveType(type)) return primitiveCheck(type, key);
    if (type === 'Resource') return key === 'contained' ? this.held.contained : this.held.alone;
    return this.nested(type, schema);
  }

  /** Compiled at its first use: types contain themselves, and few of an extension's fifty types ever occur. */
  private nested(type: string, within: InternalTypeSchema): Check {
    let check: Check | undefined;
    return (value, walk, depth) => {
      if (check === undefined) {
        const schema = schemaOf(type, within);
        check = schema === undefined ? LOOK_CLOSER : this.checkOf(schema);
      }
      return check(value, walk, depth + 1);
    };
  }
}

function objectCheck(
  members: ReadonlyMap<string, Member>,
  required: readonly (readonly string[])[],
  isElement: boolean,
): Check {
  return (value, walk, depth) => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
    let choices = 0;
    let isEmpty = true;
    for (const key in value) {
      const member = members.get(key);
      if (
        member === undefined ||
        (choices & member.choice) !== 0 ||
        !member.check((value as Members)[key], walk, depth)
      )
        return false;
      choices |= member.choice;
      isEmpty = false;
      if (isElement && key === 'id') walk.ids.push((value as Members)[key]);
    }
    return !isEmpty && required.every((keys) => keys.some((key) => (value as Members)[key] !== undefined));
  };
}

/** For each required element, the keys of which one has to be there. */
function requiredKeys({ elements }: InternalTypeSchema): string[][] {
  return Object.entries(elements)
    .filter(([, { min }]) => min > 0)
    .map(([name, { type }]) =>
      isChoice(name)
        ? type.map(({ code }) => `${baseOf(name)}${code.charAt(0).toUpperCase()}${code.slice(1)}`)
        : [name],
    );
}

function isChoice(name: string): boolean {
  return name.endsWith(CHOICE);
}

function baseOf(choice: string): string {
  return choice.slice(0, -CHOICE.length);
}

/** True where Medplum's validator would take a key for one of a choice's. */
function isOneOf(key: string, base: string): boolean {
  return key.startsWith(base) && /^[A-Z]/.test(key.slice(base.length));
}
