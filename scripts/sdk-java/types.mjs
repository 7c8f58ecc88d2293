import { nameOfRef, pascal, typeName, withoutNull } from '../sdk-sources/schemas.mjs';

/** Makes Java types of schemas; what has no name of its own becomes a type within the one that has it. */
export class JavaTypes {
  #schemas;
  #used = new Set();

  constructor(schemas) {
    this.#schemas = schemas;
  }

  /** Names of classes of Java that the types given so far need. */
  get imports() {
    return [...this.#used].sort();
  }

  forgetImports() {
    this.#used.clear();
  }

  /** The schemas by name. */
  get schemas() {
    return this.#schemas;
  }

  /** `within(name, schema)` is told of an object without a name of its own. */
  of(schema, name, within) {
    const plain = withoutNull(schema);
    if (plain.$ref !== undefined) return this.#named(nameOfRef(plain.$ref));
    switch (plain.oneOf === undefined ? typeName(plain) : undefined) {
      case 'string':
        return 'String';
      case 'integer':
        return 'Long';
      case 'number':
        return 'Double';
      case 'boolean':
        return 'Boolean';
      case 'array':
        return this.#use('java.util.List', `List<${this.of(plain.items, name, within)}>`);
      case 'object':
        return this.#object(plain, name, within);
      default:
        return this.#json();
    }
  }

  #object(schema, name, within) {
    if (Object.keys(schema.properties ?? {}).length > 0) {
      within(pascal(name), schema);
      return pascal(name);
    }
    const value = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
    return value === undefined
      ? this.#json()
      : this.#use('java.util.Map', `Map<String, ${this.of(value, name, within)}>`);
  }

  #named(name) {
    const schema = this.#schemas[name];
    if (schema.oneOf !== undefined) return this.#json();
    return schema.enum === undefined ? name : 'String';
  }

  #json() {
    return this.#use('com.fasterxml.jackson.databind.JsonNode', 'JsonNode');
  }

  #use(imported, type) {
    this.#used.add(imported);
    return type;
  }
}
