import { idAmong, nameOfRef, saying, typeName, withoutNull } from '../sdk-sources/schemas.mjs';
import { capitals, HEAD, indented, summary } from './text.mjs';

const USINGS = ['System.Collections.Generic', 'System.Text.Json', 'System.Text.Json.Serialization'];
const NEEDED_BY = {
  'System.Collections.Generic': /\bIReadOnly/,
  'System.Text.Json': /\bJsonElement\b/,
  'System.Text.Json.Serialization': /\bJsonPropertyName\b/,
};
const VALUES = { integer: 'long', number: 'double', boolean: 'bool' };
const VALUE_TYPES = ['long', 'double', 'bool', 'JsonElement'];

function isNullable(schema) {
  return withoutNull(schema) !== schema || [schema.type].flat().includes('null');
}

/** `within(schema)` makes a class of an object without a name of its own, and gives its name. */
function typeOf(schemas, schema, within) {
  const plain = withoutNull(schema);
  if (plain.$ref !== undefined) {
    const named = schemas[nameOfRef(plain.$ref)];
    if (named.oneOf !== undefined) return 'JsonElement';
    return named.enum === undefined ? nameOfRef(plain.$ref) : 'string';
  }
  const kind = plain.oneOf === undefined ? typeName(plain) : undefined;
  if (kind === 'string') return 'string';
  if (VALUES[kind] !== undefined) return VALUES[kind];
  if (kind === 'array') return `IReadOnlyList<${elementOf(schemas, plain.items, within)}>`;
  return kind === 'object' ? objectOf(schemas, plain, within) : 'JsonElement';
}

function elementOf(schemas, schema, within) {
  return `${typeOf(schemas, schema, within)}${isNullable(schema) ? '?' : ''}`;
}

function objectOf(schemas, schema, within) {
  if (Object.keys(schema.properties ?? {}).length > 0) return within(schema);
  const values = schema.additionalProperties;
  return typeof values === 'object'
    ? `IReadOnlyDictionary<string, ${elementOf(schemas, values, within)}>`
    : 'JsonElement';
}

/** A number that did not come must not be 0: values may always be null, a promised reference never. */
function property(schemas, name, schema, { isPromised, within }) {
  const type = typeOf(schemas, schema, within);
  const isSure = isPromised && !isNullable(schema) && !VALUE_TYPES.includes(type);
  const told = saying(schemas, schema);
  const rest = isSure ? ' { get; set; } = null!;' : ' { get; set; }';
  return `${told === '' ? summary(`${capitals(name)}.`) : summary(told)}[JsonPropertyName("${name}")]\npublic ${type}${isSure ? '' : '?'} ${capitals(name)}${rest}\n`;
}

/** No content: clinical text and secrets do not get into a log because somebody printed an answer. */
function textForm(name, properties) {
  const id = idAmong(properties);
  const text = id === undefined ? `"${name}"` : `$"${name}[${id}={${capitals(id)}}]"`;
  return `${summary('Without content: what is printed may end in a log.')}public override string ToString() => ${text};\n`;
}

/** A class, and those of its objects without a name: its own name and the property's. */
function classesOf(schemas, name, schema, isSent) {
  const more = [];
  const members = Object.entries(schema.properties).map(([key, one]) =>
    property(schemas, key, one, {
      isPromised: !isSent && (schema.required ?? []).includes(key),
      within: (inner) => {
        const plain = `${name}${capitals(key)}`;
        const own = schemas[plain] === undefined ? plain : `${plain}Part`;
        more.push(...classesOf(schemas, own, inner, isSent));
        return own;
      },
    }),
  );
  const body = indented([...members, textForm(name, schema.properties)].join('\n'));
  return [`${summary(schema.description ?? `${name}.`)}public sealed class ${name}\n{\n${body}}\n`, ...more];
}

/** The words of a closed list. Texts and no enum: a later release may say more. */
function words(name, schema) {
  const lines = schema.enum.map(
    (word) => `/// <summary>${word}</summary>\npublic const string ${capitals(word)} = "${word}";\n`,
  );
  return `${summary(schema.description ?? `Words of ${name}.`)}public static class ${name}\n{\n${indented(lines.join('\n'))}}\n`;
}

/** The source of one schema as { path, text }; null where it is no type of its own. */
export function modelOf(schemas, name, isSent) {
  const schema = schemas[name];
  if (schema.oneOf !== undefined) return null;
  const body = schema.enum === undefined ? classesOf(schemas, name, schema, isSent).join('\n') : words(name, schema);
  const usings = USINGS.filter((one) => NEEDED_BY[one].test(body)).map((one) => `using ${one};\n`);
  const text = `${HEAD}${usings.join('')}${usings.length > 0 ? '\n' : ''}namespace Sutura.Sdk.Models\n{\n${indented(body)}}\n`;
  return { path: `Models/${name}.cs`, text };
}
