import type { JsonLimits } from '../../../platform/http/limits.js';
import type { Paced } from '../../../platform/turns/turns.js';
import type { OutcomeError } from '../outcome/outcome-error.js';
import type { ElementTable, TableElement } from './element-table.js';
import { toPrimitive } from './primitive-values.js';
import { declaredBy, isBesideResource, isFhir, namespaceOf, NO_NAMESPACES, type Namespaces } from './namespaces.js';
import { NarrativeText } from './narrative-text.js';
import { addMember, addPrimitive, dropNulls, indexOfLast, isEmpty } from './members.js';
import { Frame, placesOf, structureFault, type Members, type Primitive } from './xml-frames.js';
import { FHIR_NAMESPACE, refused, tooLarge, XHTML_NAMESPACE } from './xml-faults.js';
import type { XmlTokens } from './xml-tokens.js';

/** Characters read before others may have their turn, a millisecond or two; a long value is read in pieces of its own. */
const READ_AT_ONCE = 64 * 1024;
/** No name of R4, and not to be one of an object. */
const NO_KEY = /^(?:_|resourceType$|constructor$)/;
const UNKNOWN_ATTRIBUTE = 'Unknown attribute. Values stand in elements of their own.';
const TWICE = 'The element stands here twice. It may stand once.';

/** What stood in a document. */
export interface SentXml {
  /** The same object that the resource is in JSON. */
  readonly resource: Members;
  /** The types of the resources within it, by their FHIRPath. */
  readonly held: ReadonlyMap<string, string>;
}

/**
 * Makes of an XML document the object that the resource is in JSON (R4 xml.html, json.html). Elements that R4 does not have become members
 * without a meaning, which validation names; so does what has no value. Elements may come in any order.
 */
export class XmlReader {
  private readonly frames: Frame[];
  private frame: Frame;
  private readonly held = new Map<string, string>();
  private root: Members | null = null;
  private narrative: NarrativeText | null = null;
  private values = 0;
  private guessed: TableElement | null = null;

  constructor(
    private readonly tokens: XmlTokens,
    private readonly table: ElementTable,
    private readonly limits: JsonLimits,
  ) {
    this.frame = new Frame('', 'resource', NO_NAMESPACES, {}, null, null);
    this.frames = [this.frame];
  }

  /** `request.invalid`, `request.too_large`; `fhir.structure` for what JSON could not say. */
  *reading(): Paced<SentXml> {
    const { tokens } = this;
    for (let until = READ_AT_ONCE; ;) {
      const token = tokens.next(this.frame.name, this.guess());
      if (token === 'long') {
        yield* tokens.supplyLong();
        continue;
      }
      if (tokens.from > tokens.textFrom) this.takeText();
      if (token === 'opening') this.open();
      else if (token === 'closing') this.close();
      else if (token === 'marked') this.takeMarked();
      else if (token === 'end') break;
      if (tokens.position < until) continue;
      until = tokens.position + READ_AT_ONCE;
      yield;
    }
    if (this.frames.length > 1 || this.root === null) throw tokens.notWellFormed();
    return { resource: this.root, held: this.held };
  }

  /** The element that is opened next, perhaps: documents are alike, and its name need not be looked up then. */
  private guess(): string {
    const { last, type } = this.frame;
    this.guessed = last === null ? (type?.began ?? null) : (last.followed ?? last);
    return this.guessed?.name ?? '';
  }

  private open(): void {
    const { tokens, frame } = this;
    this.countElement();
    const namespaces = declaredBy(tokens, frame.namespaces);
    switch (frame.holds) {
      case 'xhtml':
        this.narrative!.open(tokens, namespaces);
        return this.push(new Frame(tokens.name, 'xhtml', namespaces, {}, null, null));
      case 'anything':
        namespaceOf(tokens, namespaces);
        return this.pushAnything({}, namespaces);
      case 'resource':
        return this.openResource(namespaces);
      case 'elements':
      case 'value':
        return this.openElement(namespaces);
    }
  }

  private openResource(namespaces: Namespaces): void {
    const { tokens, frame } = this;
    if (!isFhir(tokens, namespaces)) throw this.fault('A resource is an element of the namespace http://hl7.org/fhir.');
    if (frame.children > 1)
      throw frame.element === null ? tokens.notWellFormed() : this.fault('One resource stands here, and no more.');
    const resourceType = localName(tokens);
    const resource: Members = { resourceType };
    if (frame.element === null) this.root = resource;
    else {
      this.held.set(placesOf(this.frames).expression, resourceType);
      // The holder has put the object there.
      Object.assign(frame.value, resource);
    }
    const type = this.table.resource(resourceType);
    const value = frame.element === null ? resource : frame.value;
    if (type === null) return this.pushAnything(value, namespaces);
    const opened = new Frame(tokens.name, 'elements', namespaces, value, type, null);
    this.takeAttributes(opened);
    this.push(opened);
  }

  private openElement(namespaces: Namespaces): void {
    const { tokens, frame } = this;
    const { colon } = tokens;
    const local = colon === -1 ? tokens.name : localName(tokens);
    const namespace = colon === -1 ? namespaces.unprefixed : namespaceOf(tokens, namespaces);
    const element = local === this.guessed?.name ? this.guessed : frame.type!.elements.get(local);
    if (namespace !== FHIR_NAMESPACE) {
      if (element?.content === 'xhtml' && namespace === XHTML_NAMESPACE) return this.openNarrative(element, namespaces);
      throw this.fault('An element is of another namespace than http://hl7.org/fhir.');
    }
    if (element === undefined) return this.openUnknown(local, namespaces);
    if (frame.last === null) frame.type!.began = element;
    else frame.last.followed = element;
    frame.last = element;
    const { content } = element;
    switch (content) {
      case 'xhtml':
        throw this.fault('The div of a narrative is an element of the namespace http://www.w3.org/1999/xhtml.');
      case 'text':
      case 'number':
      case 'boolean':
        return this.openPrimitive(element, namespaces);
      case 'elements':
      case 'resource': {
        const value: Members = {};
        const type = content === 'elements' ? element.type : null;
        const opened = new Frame(tokens.name, content, namespaces, value, type, element);
        if (!addMember(frame.value, element, value)) throw this.faultIn(element, -1, TWICE);
        opened.index = indexOfLast(frame.value, element);
        if (tokens.attributes > 0) this.takeAttributes(opened);
        return this.push(opened);
      }
    }
  }

  private openPrimitive(element: TableElement, namespaces: Namespaces): void {
    const { tokens, frame } = this;
    let primitive: Primitive | undefined;
    let extras: Members | null = null;
    for (let at = 0; at < tokens.attributes; at += 1) {
      const name = tokens.names[at]!;
      const value = tokens.values[at]!;
      if (name === 'value') primitive = toPrimitive(value, element.content, this.limits.digits);
      else if (name === 'id') extras = { id: value };
      else if (!isBesideResource(name, tokens, namespaces))
        throw this.faultIn(element, indexOfLast(frame.value, element) + (element.isList ? 1 : 0), UNKNOWN_ATTRIBUTE);
    }
    if (tokens.isEmpty) return this.attachPrimitive(frame, element, primitive, extras);
    const opened = new Frame(tokens.name, 'value', namespaces, extras ?? {}, element.type, element);
    opened.index = indexOfLast(frame.value, element) + (element.isList ? 1 : 0);
    opened.primitive = primitive;
    this.push(opened);
  }

  private openNarrative(element: TableElement, namespaces: Namespaces): void {
    const { tokens } = this;
    if (!addMember(this.frame.value, element, '')) throw this.faultIn(element, -1, TWICE);
    this.narrative = new NarrativeText(tokens, namespaces);
    this.push(new Frame(tokens.name, 'xhtml', namespaces, {}, null, element));
  }

  /** Validation names it, as it does in JSON. */
  private openUnknown(local: string, namespaces: Namespaces): void {
    const { frame } = this;
    if (NO_KEY.test(local)) throw this.fault('Unknown element.');
    frame.value[local] ??= true;
    this.pushAnything({}, namespaces);
  }

  private pushAnything(value: Members, namespaces: Namespaces): void {
    this.push(new Frame(this.tokens.name, 'anything', namespaces, value, null, null));
  }

  private push(frame: Frame): void {
    this.frames.push(frame);
    this.frame = frame;
    if (this.frames.length > this.limits.depth)
      throw refused(`The body is nested deeper than ${this.limits.depth} levels. Send a flatter one.`);
    if (this.tokens.isEmpty) this.end();
  }

  private close(): void {
    const { tokens, frame } = this;
    if (frame.holds === 'xhtml') this.narrative!.close(frame.name, tokens);
    this.end();
  }

  private end(): void {
    const { frame } = this;
    this.frames.pop();
    this.frame = this.frames[this.frames.length - 1]!;
    if (frame.hasNulls) dropNulls(frame.value);
    if (frame.holds === 'value')
      this.attachPrimitive(this.frame, frame.element!, frame.primitive, isEmpty(frame.value) ? null : frame.value);
    else if (frame.holds === 'xhtml' && frame.element !== null) {
      this.frame.value[frame.element.name] = this.narrative!.text(this.tokens);
      this.narrative = null;
    }
  }

  private takeText(): void {
    const { tokens, frame } = this;
    if (frame.holds === 'xhtml') this.narrative!.takeText(tokens);
    else if (!tokens.isBlankBefore()) {
      if (this.frames.length === 1) throw tokens.notWellFormed();
      throw this.fault('Text stands between the elements. Values stand in the attribute "value".');
    }
  }

  private takeMarked(): void {
    if (this.frame.holds !== 'xhtml')
      throw this.fault('A marked section (CDATA) stands between the elements. Leave it out.');
  }

  private takeAttributes(opened: Frame): void {
    const { tokens } = this;
    const { type, value, namespaces } = opened;
    for (let at = 0; at < tokens.attributes; at += 1) {
      const name = tokens.names[at]!;
      if (type?.attributes.has(name) === true) value[name] = tokens.values[at];
      else if (!isBesideResource(name, tokens, namespaces))
        throw structureFault([...this.frames, opened], UNKNOWN_ATTRIBUTE);
    }
  }

  private attachPrimitive(
    frame: Frame,
    element: TableElement,
    primitive: Primitive | undefined,
    extras: Members | null,
  ): void {
    if (!addPrimitive(frame.value, element, primitive, extras)) throw this.faultIn(element, -1, TWICE);
    if (element.isList && primitive === undefined) frame.hasNulls = true;
  }

  private countElement(): void {
    const { limits, tokens } = this;
    this.values += 1 + (tokens.attributes > 1 ? tokens.attributes - 1 : 0);
    if (this.values > limits.values)
      throw tooLarge(`The body has more than ${limits.values} values. Send it in parts.`);
    this.frame.children += 1;
    if (this.frame.children > limits.members)
      throw tooLarge(`An element of the body has more than ${limits.members} elements. Send it in parts.`);
  }

  private fault(details: string): OutcomeError {
    return structureFault(this.frames, details);
  }

  private faultIn(element: TableElement, index: number, details: string): OutcomeError {
    const within = new Frame('', 'anything', NO_NAMESPACES, {}, null, element);
    within.index = index;
    return structureFault([...this.frames, within], details);
  }
}

function localName({ name, colon }: XmlTokens): string {
  return colon === -1 ? name : name.slice(colon + 1);
}
