import { hasQueryType, isPaged, itemOf, queryType } from '../sdk-sources/contract.mjs';
import { GONE_IS_DONE, NEEDED, ONCE } from '../sdk-sources/names.mjs';
import { pascal } from '../sdk-sources/schemas.mjs';
import { capitals, HEAD, indented, summary } from './text.mjs';

const USINGS = ['System.Threading', 'System.Threading.Tasks', 'Sutura.Sdk.Models'];
const CANCELLATION = { text: 'CancellationToken cancellationToken = default', name: 'cancellationToken', said: '' };

function pathOf({ path, ids }) {
  let at = 0;
  const isOfReport = path.startsWith('/api/v1/reports/{id}');
  const filled = path.replace(/\{\w+\}/g, () => {
    const name = ids[at++];
    return isOfReport && name === 'reportId' ? '{Segment.OfReport(reportId)}' : `{Segment.Of("${name}", ${name})}`;
  });
  return ids.length > 0 ? `$"${filled}"` : `"${filled}"`;
}

function chain(operation, { isPage = false } = {}) {
  const { verb, method, query, body, isKeyed } = operation;
  return [
    `Call.Of("${verb}", ${pathOf(operation)})`,
    ...(hasQueryType(operation)
      ? [`.Query(query${isPage ? ', cursor' : ''})`]
      : query.map(({ name }) => `.Query("${name}", ${name})`)),
    ...(body === undefined ? [] : ['.Json(request)']),
    ...(isKeyed ? ['.Key(idempotencyKey)'] : []),
    ...(ONCE.includes(method) ? ['.Once()'] : []),
    ...(GONE_IS_DONE.includes(method) ? ['.GoneIsDone()'] : []),
  ].join('');
}

function sent(operation, of) {
  const { answer, mediaType } = operation;
  if (answer !== undefined) {
    const needed = (NEEDED[answer] ?? ['items']).map((name) => `, "${name}"`).join('');
    return [`Task<${answer}>`, `calls.JsonAsync<${answer}>(${chain(operation, of)}, cancellationToken${needed})`];
  }
  if (mediaType !== undefined)
    return ['Task<byte[]>', `calls.BytesAsync(${chain(operation)}, "${mediaType}", cancellationToken)`];
  return ['Task', `calls.NothingAsync(${chain(operation)}, cancellationToken)`];
}

function parametersOf(operation) {
  const { ids, query, body, isKeyed } = operation;
  const optional = (type, name, said) => ({ text: `${type}? ${name} = null`, name, said });
  const request = body && { text: `${body.type} request`, name: 'request', said: '' };
  return [
    ...ids.map((name) => ({ text: `string ${name}`, name, said: '' })),
    ...(request === undefined || !body.isRequired ? [] : [request]),
    ...(hasQueryType(operation)
      ? [optional(queryType(operation), 'query', 'which ones; null: all')]
      : query.map(({ name, description = '' }) => optional('string', name, description))),
    ...(request === undefined || body.isRequired ? [] : [optional(body.type, 'request', '')]),
    ...(isKeyed ? [optional('string', 'idempotencyKey', 'the same for every repeat of this; null: a new one')] : []),
  ];
}

/** A summary, and either all parameters or none, as the compiler asks. */
const told = (text, parameters) =>
  summary(
    text,
    parameters.map(({ name, said }) => [name, said]),
  );
const list = (parameters) => parameters.map(({ text }) => text).join(', ');

function methodsOf(operation) {
  const [type, call] = sent(operation);
  const parameters = [...parametersOf(operation), CANCELLATION];
  const name = capitals(operation.method);
  const whole = `${told(operation.told, parameters)}public ${type} ${name}Async(${list(parameters)}) =>\n    ${call};\n`;
  return isPaged(operation) ? [whole, iterating(operation)] : [whole];
}

function iterating(operation) {
  const parameters = parametersOf(operation);
  const text = `${operation.told.replace(/\.$/, '')}: every item of all pages, read when needed.`;
  const [, call] = sent(operation, { isPage: true });
  const name = capitals(operation.method.replace(/^list/, 'iterate'));
  return `${told(text, parameters)}public Pages<${itemOf(operation.answer)}> ${name}(${list(parameters)}) =>\n    Pages.Of((cursor, cancellationToken) => ${call},\n        page => page.Items, page => page.NextCursor);\n`;
}

const titleOf = (tag) => tag.split('-').map(pascal).join('');

function fileOf(path, body, usings) {
  const lines = usings.map((one) => `using ${one};\n`).join('');
  return {
    path,
    text: `${HEAD}${lines}${lines === '' ? '' : '\n'}namespace Sutura.Sdk\n{\n${indented(body)}}\n`,
  };
}

/** A part of the client for each tag. */
export function operationParts(operations) {
  const made = operations.filter(({ isByHand }) => !isByHand);
  return [...new Set(made.map(({ tag }) => tag))].sort().map((tag) => {
    const methods = made.filter((one) => one.tag === tag).flatMap(methodsOf);
    const usings = USINGS.filter((one) => one !== 'Sutura.Sdk.Models' || /<[A-Z]/.test(methods.join('')));
    const body = `public sealed partial class SuturaClient\n{\n${indented(methods.join('\n'))}}\n`;
    return fileOf(`SuturaClient.${titleOf(tag)}.cs`, body, usings);
  });
}

function queryProperty({ name, schema, description = '' }) {
  const said = summary(description === '' ? `${capitals(name)}.` : description);
  if (schema.type === 'object')
    return `${said}public Dictionary<string, string> ${capitals(name)} { get; } = new Dictionary<string, string>();\n`;
  const isSwitch = schema.enum?.length === 2 && schema.enum.includes('true');
  const type = isSwitch ? 'bool' : schema.type === 'integer' ? 'long' : 'string';
  return `${said}public ${type}? ${capitals(name)} { get; set; }\n`;
}

function pairsOf(query) {
  const lines = query.map(({ name, schema }) =>
    schema.type === 'object'
      ? `pairs.PutAll("${name}", ${capitals(name)});\n`
      : `pairs.Put("${name}", ${capitals(name)});\n`,
  );
  return `internal override void Fill(QueryPairs pairs)\n{\n${indented(lines.join(''))}}\n`;
}

/** Which items of a list are wanted. */
export function queryClasses(operations) {
  return operations
    .filter((one) => !one.isByHand && hasQueryType(one))
    .map((operation) => {
      const type = queryType(operation);
      const members = [...operation.query.map(queryProperty), pairsOf(operation.query)].join('\n');
      const body = `${summary(`Which items ${capitals(operation.method)}Async gives.`)}public sealed class ${type} : Query\n{\n${indented(members)}}\n`;
      return fileOf(`${type}.cs`, body, members.includes('Dictionary') ? ['System.Collections.Generic'] : []);
    });
}
