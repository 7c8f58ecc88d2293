// A table that has a row for each member of a union is keyed by the union, so that a new member without a row does not compile.
import { keyOf } from './exported-unions.mjs';

/** Two words in common are chance. */
const FEWEST_MEMBERS = 3;

export const recordByUnion = {
  meta: {
    type: 'problem',
    docs: { description: 'Refuses a table keyed by string whose keys are the members of an exported union.' },
    // The names of unions by their members, as exportedUnions() reads them: an option, so that a cache of results knows of them.
    schema: [{ type: 'object', additionalProperties: { type: 'string' } }],
    messages: { keyed: 'The keys of {{table}} are the members of {{union}}: key it by that type.' },
  },
  create(context) {
    const [unions = {}] = context.options;
    return {
      VariableDeclarator({ id, init }) {
        if (id.type !== 'Identifier' || !isKeyedByString(id.typeAnnotation?.typeAnnotation)) return;
        const keys = keysOf(init);
        const union = keys !== undefined && Object.hasOwn(unions, keys) ? unions[keys] : undefined;
        if (union !== undefined) context.report({ node: id, messageId: 'keyed', data: { table: id.name, union } });
      },
    };
  },
};

/** `Record<string, X>`, `{ [key: string]: X }`, and either of them inside `Readonly` or `Partial`. */
function isKeyedByString(type) {
  if (type?.type === 'TSTypeLiteral')
    return (
      type.members.length === 1 &&
      type.members[0].parameters?.[0]?.typeAnnotation?.typeAnnotation.type === 'TSStringKeyword'
    );
  if (type?.type !== 'TSTypeReference') return false;
  const [first] = type.typeArguments?.params ?? [];
  if (type.typeName.name === 'Record') return first?.type === 'TSStringKeyword';
  return ['Readonly', 'Partial'].includes(type.typeName.name) && isKeyedByString(first);
}

/** The keys of an object that is written out; undefined: it is not, or they cannot be told. */
function keysOf(init) {
  if (init?.type !== 'ObjectExpression' || init.properties.length < FEWEST_MEMBERS) return undefined;
  const keys = init.properties.map((one) =>
    one.type !== 'Property' || one.computed ? undefined : (one.key.name ?? one.key.value),
  );
  return keys.every((key) => typeof key === 'string') ? keyOf(keys) : undefined;
}
