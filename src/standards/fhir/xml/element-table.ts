import type { ElementDefinition, StructureDefinition } from '@medplum/fhirtypes';
import type { R4Definitions } from '../definitions/r4-definitions.js';
import { CORE_DEFINITIONS } from '../types/fhir-release.js';

const CHOICE = '[x]';
/** Types of FHIRPath, which definitions name for ids and for `Extension.url`. */
const PATH_TYPES = 'http://hl7.org/fhirpath/System.';
const NUMBERS = new Set(['decimal', 'integer', 'positiveInt', 'unsignedInt']);
const TYPE_NAME = /^[A-Z][A-Za-z]{0,63}$/;

/** What stands in an element: a value in `value`, elements of its own, one resource, or XHTML. */
export type ElementContent = 'text' | 'number' | 'boolean' | 'elements' | 'resource' | 'xhtml';

/** An element or attribute that a type has, by one of its names: `valueQuantity` is one of `value[x]`. */
export interface TableElement {
  readonly name: string;
  /** The name in JSON under which id and extensions of a primitive value stand. */
  readonly partner: string;
  /** Its tags, and how it begins where a value follows at once. */
  readonly opening: string;
  readonly closing: string;
  readonly valueOpening: string;
  /** The place among the elements of its type. */
  readonly order: number;
  readonly isList: boolean;
  readonly content: ElementContent;
  /** The type of its own elements; of a primitive: Element. */
  readonly type: ElementType;
  /** The one that followed it last, in whichever document: a guess at the one that will. */
  followed: TableElement | null;
}

/** The elements of a type, in XML. */
export interface ElementType {
  /** The one that came first the last time. */
  began: TableElement | null;
  readonly elements: ReadonlyMap<string, TableElement>;
  readonly attributes: ReadonlyMap<string, TableElement>;
}

interface DefinedType extends ElementType {
  readonly kind: StructureDefinition['kind'];
  readonly isAbstract: boolean;
}

interface TypeInMaking extends ElementType {
  readonly elements: Map<string, TableElement>;
  readonly attributes: Map<string, TableElement>;
}

/** What is looked up once the element is first met: types contain themselves. */
interface Target {
  readonly content: ElementContent;
  readonly type: ElementType;
}

type Described = ElementDefinition & { readonly path: string };

/**
 * Which elements the types of R4 have in XML, in which order, and which of them are attributes (R4 xml.html), from HL7's definitions. A
 * type is read when it is first met, some milliseconds, and kept.
 */
export class ElementTable {
  private readonly types = new Map<string, DefinedType>();

  constructor(private readonly definitions: Pick<R4Definitions, 'structureDefinition'>) {}

  /** The elements of a type of resource; null: R4 has no such type. */
  resource(type: string): ElementType | null {
    const found = TYPE_NAME.test(type) ? this.find(type) : null;
    return found?.kind === 'resource' && !found.isAbstract ? found : null;
  }

  /** Reads the definitions that these types of resources stand on, one with each step. */
  *preparing(types: readonly string[]): Generator<void, void> {
    const left: ElementType[] = [];
    for (const type of types) {
      left.push(this.resource(type)!);
      yield;
    }
    const seen = new Set(left);
    for (let type = left.pop(); type !== undefined; type = left.pop()) {
      for (const element of type.elements.values()) {
        const read = this.types.size;
        const within = element.type;
        if (!seen.has(within)) left.push(within);
        seen.add(within);
        if (this.types.size > read) yield;
      }
    }
  }

  private find(name: string): DefinedType | null {
    const known = this.types.get(name);
    if (known !== undefined) return known;
    const definition = this.definitions.structureDefinition(`${CORE_DEFINITIONS}${name}`);
    if (definition?.snapshot === undefined) return null;
    const described = definition.snapshot.element as readonly Described[];
    const { elements, attributes } = this.typesIn(described).get(described[0]!.path)!;
    const made = { began: null, elements, attributes, kind: definition.kind, isAbstract: definition.abstract === true };
    this.types.set(name, made);
    return made;
  }

  private dataType(name: string): DefinedType {
    const found = this.find(name);
    if (found === null) throw new Error(`R4 has no type ${name}.`);
    return found;
  }

  /** The type that a definition describes, and those within it, by path. */
  private typesIn(described: readonly Described[]): ReadonlyMap<string, ElementType> {
    const types = new Map<string, TypeInMaking>();
    const parents = new Set(described.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('.')))));
    for (const path of [described[0]!.path, ...parents])
      if (path !== '') types.set(path, { began: null, elements: new Map(), attributes: new Map() });
    described.slice(1).forEach((one, order) => {
      const { elements, attributes } = types.get(one.path.slice(0, one.path.lastIndexOf('.')))!;
      const isAttribute = one.representation?.includes('xmlAttr') === true;
      for (const made of this.elementsOf(one, order, types)) (isAttribute ? attributes : elements).set(made.name, made);
    });
    return types;
  }

  /** The names of an element: of a choice there is one for each type. */
  private elementsOf(
    { path, max, contentReference, type = [] }: Described,
    order: number,
    types: ReadonlyMap<string, ElementType>,
  ): TableElement[] {
    const name = path.slice(path.lastIndexOf('.') + 1);
    const isList = max !== '0' && max !== '1';
    const inner = types.get(contentReference === undefined ? path : contentReference.replace(/^.*#/, ''));
    if (inner !== undefined)
      return [new LazyElement(name, order, isList, () => ({ content: 'elements', type: inner }))];
    const codes = type.map(({ code }) => code!);
    if (!name.endsWith(CHOICE)) return [new LazyElement(name, order, isList, () => this.targetOf(codes[0]!))];
    return codes.map((code) => {
      const chosen = `${name.slice(0, -CHOICE.length)}${code.charAt(0).toUpperCase()}${code.slice(1)}`;
      return new LazyElement(chosen, order, isList, () => this.targetOf(code));
    });
  }

  private targetOf(code: string): Target {
    const primitive = primitiveContent(code);
    if (primitive !== null) return { content: primitive, type: this.dataType('Element') };
    const type = this.dataType(code);
    return { content: type.kind === 'resource' ? 'resource' : 'elements', type };
  }
}

class LazyElement implements TableElement {
  readonly partner: string;
  readonly opening: string;
  readonly closing: string;
  readonly valueOpening: string;
  followed: TableElement | null = null;
  private target: Target | null = null;

  constructor(
    readonly name: string,
    readonly order: number,
    readonly isList: boolean,
    private readonly find: () => Target,
  ) {
    this.partner = `_${name}`;
    this.opening = `<${name}`;
    this.closing = `</${name}>`;
    this.valueOpening = `<${name} value="`;
  }

  get content(): ElementContent {
    return (this.target ??= this.find()).content;
  }

  get type(): ElementType {
    return (this.target ??= this.find()).type;
  }
}

/** null for a type that has elements of its own. */
function primitiveContent(code: string): ElementContent | null {
  if (code === 'xhtml') return 'xhtml';
  if (code === 'boolean') return 'boolean';
  if (NUMBERS.has(code)) return 'number';
  return code.startsWith(PATH_TYPES) || /^[a-z]/.test(code) ? 'text' : null;
}
