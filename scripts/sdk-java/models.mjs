import { idAmong, saying } from '../sdk-sources/schemas.mjs';
import { HEAD, indented, javadoc } from './text.mjs';

const PACKAGE = 'dev.sutura.sdk.model';
const PRIMITIVES = { Long: 'long', Double: 'double', Boolean: 'boolean' };

/** No content: clinical text and secrets do not get into a log because somebody printed an answer. */
function textForm(name, properties) {
  const id = idAmong(properties);
  const text = id === undefined ? `"${name}"` : `"${name}[${id}=" + ${id} + "]"`;
  return `/** Without content: what is printed may end in a log. */\n@Override\npublic String toString() {\n    return ${text};\n}\n`;
}

function fieldsOf(types, { properties }, nested) {
  return Object.entries(properties).map(([name, schema]) => {
    const type = types.of(schema, name, (inner, found) => nested.push([inner, found]));
    return { name, type, words: saying(types.schemas, schema) };
  });
}

/** An answer: a record. */
function answer(types, name, schema) {
  const nested = [];
  const fields = fieldsOf(types, schema, nested);
  const inner = nested.map(([one, found]) => `\n${answer(types, one, found)}`).join('');
  const components = fields.map((field) => `    ${field.type} ${field.name}`).join(',\n');
  const parameters = fields.map((field) => [field.name, field.words]);
  return `${javadoc(schema.description ?? `${name}.`, parameters)}public record ${name}(\n${components}\n) {\n${indented(textForm(name, schema.properties) + inner)}}\n`;
}

function setter(name, { name: field, type, words }) {
  const given = PRIMITIVES[type] ?? type;
  return `${javadoc(words === '' ? `Sets ${field}.` : words)}public ${name} ${field}(${given} ${field}) {\n    this.${field} = ${field};\n    return this;\n}\n\n/** As it was set or came; null where it was not. */\npublic ${type} ${field}() {\n    return ${field};\n}\n`;
}

/** What is sent: every field is set by a method of its name, and read by one. */
function request(types, name, schema) {
  const nested = [];
  const fields = fieldsOf(types, schema, nested);
  types.of({ type: 'array', items: {} }, '', () => undefined);
  const members = [
    fields.map((field) => `@JsonProperty("${field.name}")\nprivate ${field.type} ${field.name};\n`).join(''),
    ...fields.map((field) => setter(name, field)),
    textForm(name, schema.properties),
    ...nested.map(([one, found]) =>
      request(types, one, found).replace('public final class', 'public static final class'),
    ),
  ];
  return `${javadoc(schema.description ?? `${name}.`)}public final class ${name} {\n${indented(members.join('\n'))}}\n`;
}

function constant(word) {
  const name = word
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');
  return `public static final String ${name} = "${word}";\n`;
}

/** The words of a closed list. Texts and no enum: a later release may say more. */
function words(name, schema) {
  const lines = schema.enum.map(constant).join('');
  const told = schema.description ?? `Words of ${name}.`;
  return `${javadoc(told)}public final class ${name} {\n${indented(`${lines}\nprivate ${name}() {\n}\n`)}}\n`;
}

/** The source of one schema as { path, text }; null where it is no type of its own. */
export function modelOf(types, name, schema, isSent) {
  if (schema.oneOf !== undefined) return null;
  types.forgetImports();
  const body =
    schema.enum !== undefined
      ? words(name, schema)
      : isSent
        ? request(types, name, schema)
        : answer(types, name, schema);
  const imports = types.imports.filter((one) => new RegExp(`\\b${one.split('.').pop()}\\b`).test(body));
  if (body.includes('@JsonProperty')) imports.unshift('com.fasterxml.jackson.annotation.JsonProperty');
  const lines = [...new Set(imports)].map((one) => `import ${one};\n`).join('');
  const text = `${HEAD}package ${PACKAGE};\n\n${lines}${lines === '' ? '' : '\n'}${body}`;
  return { path: `model/${name}.java`, text };
}
