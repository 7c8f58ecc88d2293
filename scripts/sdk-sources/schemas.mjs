const WITHOUT_NULL = ({ type }) => type !== 'null';

/** A schema without what only says that it may be null. */
export function withoutNull(schema = {}) {
  const rest = schema.anyOf?.filter(WITHOUT_NULL);
  return rest?.length === 1 ? withoutNull(rest[0]) : schema;
}

export const nameOfRef = ($ref) => $ref.split('/').pop();
export const pascal = (name) => name.charAt(0).toUpperCase() + name.slice(1);
export const typeName = ({ type }) => [type].flat().find((one) => one !== 'null');

/** The words of a closed list, also of one with a name of its own; undefined where a schema is none. */
export function wordsOf(schemas, schema) {
  const plain = withoutNull(schema);
  if (plain.$ref !== undefined) return wordsOf(schemas, schemas[nameOfRef(plain.$ref)]);
  if (plain.items !== undefined) return wordsOf(schemas, plain.items);
  return typeName(plain) === 'string' ? plain.enum : undefined;
}

/** What is said of a property: its description, and the words that it may have. */
export function saying(schemas, schema) {
  const words = wordsOf(schemas, schema);
  const told = schema.description ?? withoutNull(schema).description ?? '';
  return words === undefined || words.length > 30 ? told : `${told} One of: ${words.join(', ')}.`.trim();
}

/** The property that a text form may show. */
export const idAmong = (properties) =>
  ['id', 'imageId', 'jobId', 'reportId'].find((one) => properties[one] !== undefined);

/** Names of all schemas that these lead to. */
export function reachable(schemas, roots) {
  const found = new Set();
  const look = (value) => {
    if (value === null || typeof value !== 'object') return;
    if (typeof value.$ref === 'string') {
      const name = nameOfRef(value.$ref);
      if (!found.has(name)) {
        found.add(name);
        look(schemas[name]);
      }
    }
    Object.values(value).forEach(look);
  };
  look(roots);
  return found;
}
