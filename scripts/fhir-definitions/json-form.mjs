const FHIR_TYPE = 'http://hl7.org/fhir/StructureDefinition/structuredefinition-fhir-type';
const NUMBERS = new Set(['integer', 'decimal', 'positiveInt', 'unsignedInt']);

/** The JSON form of resources in XML (R4 json.html), by the types and cardinalities of the StructureDefinitions among `structures`. */
export class JsonForm {
  #elements = new Map();

  constructor(structures) {
    for (const structure of structures)
      for (const element of children(child(structure, 'snapshot'), 'element')) this.#index(element);
  }

  /** Narratives are left out. */
  resource(node) {
    return { resourceType: node.name, ...this.#members(node, node.name) };
  }

  #index(element) {
    const path = valueOf(element, 'path');
    if (this.#elements.has(path)) return;
    const base = child(element, 'base');
    const reference = valueOf(element, 'contentReference');
    this.#elements.set(path, {
      isList: (base === undefined ? valueOf(element, 'max') : valueOf(base, 'max')) !== '1',
      isChoice: path.endsWith('[x]'),
      types: children(element, 'type').map(typeOf),
      sameAs: reference?.slice(reference.indexOf('#') + 1),
    });
  }

  #members(node, context) {
    const members = {};
    if (node.attributes.id !== undefined) members.id = node.attributes.id;
    if (node.attributes.url !== undefined) members.url = node.attributes.url;
    for (const each of node.children) {
      if (each.name === 'div' || (each.name === 'text' && this.#find(context, 'text').types[0] === 'Narrative'))
        continue;
      const { isList, type, within } = this.#find(context, each.name);
      const { value, extended } = this.#value(each, type, within);
      put(members, each.name, value, isList);
      // None of HL7's definitions has extensions on one of several values.
      if (extended !== undefined) put(members, `_${each.name}`, extended, isList);
    }
    return members;
  }

  #value(node, type, within) {
    if (type === 'Resource') return { value: this.resource(node.children[0]) };
    if (!/^[a-z]/.test(type)) return { value: this.#members(node, within) };
    const { id, extension } = this.#members({ ...node, attributes: { id: node.attributes.id } }, 'Element');
    const extended = id === undefined && extension === undefined ? undefined : { id, extension };
    return { value: primitive(node.attributes.value, type), extended };
  }

  #find(context, name) {
    const path = `${context}.${name}`;
    const plain = this.#elements.get(path);
    const element = plain ?? this.#choice(context, name);
    if (element.sameAs !== undefined) return { ...element, type: 'Element', within: element.sameAs };
    const type = element.chosen ?? element.types[0];
    return { ...element, type, within: type === 'Element' || type === 'BackboneElement' ? path : type };
  }

  #choice(context, name) {
    for (let length = name.length - 1; length > 0; length -= 1) {
      const element = this.#elements.get(`${context}.${name.slice(0, length)}[x]`);
      const chosen = element?.types.find((type) => capitalized(type) === name.slice(length));
      if (chosen !== undefined) return { ...element, chosen };
    }
    throw new Error(`${context} has no element ${name}.`);
  }
}

export function child(node, name) {
  return node?.children.find((each) => each.name === name);
}

export function children(node, name) {
  return node?.children.filter((each) => each.name === name) ?? [];
}

export function valueOf(node, name) {
  return child(node, name)?.attributes.value;
}

function typeOf(type) {
  const stated = children(type, 'extension').find(({ attributes }) => attributes.url === FHIR_TYPE);
  return stated === undefined ? valueOf(type, 'code') : valueOf(stated, 'valueUrl');
}

function put(members, name, value, isList) {
  if (value === undefined) return;
  if (isList) (members[name] ??= []).push(value);
  else members[name] = value;
}

function primitive(text, type) {
  if (text === undefined) return undefined;
  if (type === 'boolean') return text === 'true';
  return NUMBERS.has(type) ? Number(text) : text;
}

function capitalized(type) {
  return `${type[0].toUpperCase()}${type.slice(1)}`;
}
