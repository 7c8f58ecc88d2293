import { PIECE, type Paced } from '../../../platform/turns/turns.js';
import type { ElementTable, ElementType, TableElement } from './element-table.js';
import { escaped } from './escaped-text.js';
import type { Members } from './xml-frames.js';
import { writtenNarrative } from './written-narrative.js';
import { FHIR_NAMESPACE } from './xml-faults.js';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
/** Characters that are written before others may have their turn. */
const WRITTEN_AT_ONCE = 64 * 1024;

/** Writes a resource, in the order of its definition. Members that R4 does not have are left out: XML has no place for them. */
export class XmlWriter {
  /** What is written; long texts stand by themselves, without their escapes. */
  private readonly chunks: (string | { readonly long: string })[] = [];
  private out = DECLARATION;
  private level = 0;

  constructor(
    private readonly table: ElementTable,
    private readonly isPretty: boolean,
  ) {}

  /** The document in pieces. */
  *writing(resource: Members): Paced<readonly string[]> {
    const type = this.typeOf(resource);
    if (type === null) throw new Error(`R4 has no type ${String(resource['resourceType'])}.`);
    const name = resource['resourceType'] as string;
    this.line();
    this.out += `<${name} xmlns="${FHIR_NAMESPACE}">`;
    this.level += 1;
    let written = this.chunks.length;
    for (const element of elementsIn(resource, type)) {
      if (!element.isList || element.content !== 'elements') this.element(resource, element);
      else
        for (const item of resource[element.name] as readonly Members[]) {
          this.members(item, element);
          if (this.out.length < WRITTEN_AT_ONCE && this.chunks.length === written) continue;
          this.cut();
          written = this.chunks.length;
          yield;
        }
    }
    this.level -= 1;
    this.line();
    this.out += `</${name}>${this.isPretty ? '\n' : ''}`;
    this.cut();
    return yield* this.pieces();
  }

  private *pieces(): Paced<readonly string[]> {
    const pieces: string[] = [];
    for (const chunk of this.chunks) {
      if (typeof chunk === 'string') pieces.push(chunk);
      else
        for (let from = 0; from < chunk.long.length;) {
          const wanted = Math.min(chunk.long.length, from + PIECE);
          // Half a character is none.
          const to = wanted < chunk.long.length && isHigh(chunk.long.charCodeAt(wanted - 1)) ? wanted + 1 : wanted;
          pieces.push(escaped(chunk.long.slice(from, to)));
          from = to;
          yield;
        }
    }
    return pieces;
  }

  private element(parent: Members, element: TableElement): void {
    const value = parent[element.name];
    switch (element.content) {
      case 'text':
      case 'number':
      case 'boolean':
        return element.isList
          ? this.primitives(element, value, parent[element.partner])
          : this.primitive(element, value, parent[element.partner]);
      case 'xhtml':
        return this.narrative(value);
      case 'elements':
      case 'resource':
        if (Array.isArray(value)) for (const item of value as Members[]) this.members(item, element);
        else this.members(value as Members, element);
    }
  }

  private primitives(element: TableElement, values: unknown, partners: unknown): void {
    const [list, extras] = [asList(values), asList(partners)];
    for (let index = 0; index < Math.max(list.length, extras.length); index += 1)
      this.primitive(element, list[index], extras[index]);
  }

  private primitive(element: TableElement, value: unknown, extras: unknown): void {
    if (extras !== undefined && extras !== null) return this.extended(element, value, extras as Members);
    if (value === undefined || value === null) return;
    if (this.isPretty) this.line();
    if (typeof value === 'string' && value.length <= PIECE) {
      this.out += `${element.valueOpening}${escaped(value)}"/>`;
      return;
    }
    this.out += element.valueOpening;
    this.value(value);
    this.out += '"/>';
  }

  private extended(element: TableElement, value: unknown, extras: Members): void {
    this.line();
    this.out += element.opening;
    this.attributes(extras, element.type);
    if (value !== undefined && value !== null) {
      this.out += ' value="';
      this.value(value);
      this.out += '"';
    }
    this.content(extras, element.type, element.closing);
  }

  private members(value: Members, element: TableElement): void {
    if (typeof value !== 'object' || value === null) return;
    this.line();
    this.out += element.opening;
    if (element.content === 'elements') {
      this.attributes(value, element.type);
      return this.content(value, element.type, element.closing);
    }
    this.out += '>';
    const type = this.typeOf(value);
    this.level += 1;
    if (type !== null) {
      const name = value['resourceType'] as string;
      this.line();
      this.out += `<${name}`;
      this.content(value, type, `</${name}>`);
    }
    this.level -= 1;
    this.line();
    this.out += element.closing;
  }

  private attributes(value: Members, { attributes }: ElementType): void {
    for (const name of attributes.keys()) {
      const text = value[name];
      if (typeof text === 'string') this.out += ` ${name}="${escaped(text)}"`;
    }
  }

  /** From behind the attributes on. */
  private content(value: Members, type: ElementType, closing: string): void {
    const elements = elementsIn(value, type);
    if (elements.length === 0) {
      this.out += '/>';
      return;
    }
    this.out += '>';
    this.level += 1;
    for (const element of elements) this.element(value, element);
    this.level -= 1;
    this.line();
    this.out += closing;
  }

  private value(value: unknown): void {
    if (typeof value !== 'string') {
      this.out += String(value as number | boolean);
    } else if (value.length > PIECE) {
      this.cut();
      this.chunks.push({ long: value });
    } else this.out += escaped(value);
  }

  private narrative(div: unknown): void {
    if (typeof div !== 'string') return;
    this.line();
    this.out += writtenNarrative(div);
  }

  private typeOf({ resourceType }: Members): ElementType | null {
    return typeof resourceType === 'string' ? this.table.resource(resourceType) : null;
  }

  private line(): void {
    if (this.isPretty) this.out += `\n${'  '.repeat(this.level)}`;
  }

  private cut(): void {
    this.chunks.push(this.out);
    this.out = '';
  }
}

/** The elements that a value has, in their order. */
function elementsIn(value: Members, { elements }: ElementType): TableElement[] {
  const found: TableElement[] = [];
  let last = -1;
  let isOrdered = true;
  for (const key in value) {
    let element = elements.get(key);
    if (element === undefined && key.startsWith('_')) {
      element = elements.get(key.slice(1));
      if (element !== undefined && value[element.name] !== undefined) continue;
    }
    if (element === undefined || value[key] === undefined) continue;
    if (element.order < last) isOrdered = false;
    last = element.order;
    found.push(element);
  }
  return isOrdered ? found : found.sort((one, other) => one.order - other.order);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
