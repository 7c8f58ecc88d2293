import { hasQueryType, isPaged, itemOf, queryType } from '../sdk-sources/contract.mjs';
import { GONE_IS_DONE, NEEDED, ONCE } from '../sdk-sources/names.mjs';
import { pascal } from '../sdk-sources/schemas.mjs';
import { HEAD, indented, javadoc } from './text.mjs';

function pathOf({ path, ids }) {
  let at = 0;
  const parts = path.split(/\{\w+\}/).flatMap((text, index) => {
    const name = index === 0 ? undefined : ids[at++];
    const segment = name === undefined ? [] : [`Segment.of("${name}", ${name})`];
    return [...segment, ...(text === '' ? [] : [`"${text}"`])];
  });
  return parts.join(' + ');
}

function chain(operation) {
  const { verb, method, query, body, isKeyed } = operation;
  const path = operation.path.startsWith('/api/v1/reports/{id}')
    ? pathOf(operation).replace('Segment.of("reportId", reportId)', 'Segment.ofReport(reportId)')
    : pathOf(operation);
  return [
    `Call.of("${verb}", ${path})`,
    ...(hasQueryType(operation) ? ['.query(query)'] : query.map(({ name }) => `.query("${name}", ${name})`)),
    ...(body === undefined ? [] : ['.json(request)']),
    ...(isKeyed ? ['.key(idempotencyKey)'] : []),
    ...(ONCE.includes(method) ? ['.once()'] : []),
    ...(GONE_IS_DONE.includes(method) ? ['.goneIsDone()'] : []),
  ].join('');
}

function returned({ answer, mediaType }) {
  if (answer !== undefined)
    return [
      answer,
      (call) =>
        `return calls.json(${[call, `${answer}.class`, ...(NEEDED[answer] ?? ['items']).map((name) => `"${name}"`)].join(', ')});`,
    ];
  if (mediaType !== undefined) return ['byte[]', (call) => `return calls.bytes(${call}, "${mediaType}");`];
  return ['void', (call) => `calls.nothing(${call});`];
}

const declared = ({ type, name }) => `${type} ${name}`;

/** All parameters of a method; `isOptional`: an overload comes without it. */
function parametersOf(operation) {
  const { ids, query, body, isKeyed } = operation;
  return [
    ...ids.map((name) => ({ type: 'String', name, said: '' })),
    ...(hasQueryType(operation)
      ? [{ type: queryType(operation), name: 'query', isOptional: true, said: 'which ones; null: all' }]
      : query.map(({ name, description = '' }) => ({ type: 'String', name, isOptional: true, said: description }))),
    ...(body === undefined
      ? []
      : [
          {
            type: body.type,
            name: 'request',
            isOptional: !body.isRequired,
            said: body.isRequired ? '' : 'may be null',
          },
        ]),
    ...(isKeyed
      ? [
          {
            type: 'String',
            name: 'idempotencyKey',
            isOptional: true,
            said: 'the same for every repeat of this; null: a new one',
          },
        ]
      : []),
  ];
}

function methodsOf(operation) {
  const { method, told } = operation;
  const [type, statement] = returned(operation);
  const parameters = parametersOf(operation);
  const fewer = parameters.filter(({ isOptional }) => !isOptional);
  const whole = `${javadoc(
    told,
    parameters.map(({ name, said }) => [name, said]),
  )}public ${type} ${method}(${parameters.map(declared).join(', ')}) {\n    ${statement(chain(operation))}\n}\n`;
  const words = parameters.map(({ name, isOptional }) => (isOptional ? 'null' : name)).join(', ');
  const short =
    fewer.length === parameters.length
      ? []
      : [
          `${javadoc(told)}public ${type} ${method}(${fewer.map(declared).join(', ')}) {\n    ${type === 'void' ? '' : 'return '}${method}(${words});\n}\n`,
        ];
  return [whole, ...short, ...(isPaged(operation) ? [iterating(operation, parameters)] : [])];
}

function iterating({ method, answer, told, ids }, parameters) {
  const name = method.replace(/^list/, 'iterate');
  const first = [...ids.map((id) => `${id}, `)].join('');
  const lambda = `cursor -> ${method}(${first}Query.after(query, ${pascal(method)}Query::new, cursor))`;
  return `${javadoc(`${told.replace(/\.$/, '')}: every item of all pages, read when needed.`, [['query', 'which ones; null: all']])}public Pages<${itemOf(answer)}> ${name}(${parameters.map(declared).join(', ')}) {\n    return new Pages<>(${lambda}, ${answer}::items, ${answer}::nextCursor);\n}\n`;
}

/** One class for each tag, each beyond the last, and the last is what the client extends. */
export function operationClasses(operations) {
  const made = operations.filter(({ isByHand }) => !isByHand);
  const tags = [...new Set(made.map(({ tag }) => tag))].sort();
  return tags.map((tag, index) => {
    const own = made.filter((one) => one.tag === tag);
    const before = index === 0 ? 'Operations' : `${className(tags[index - 1])}`;
    const body = indented(
      [`${className(tag)}(Calls calls) {\n    super(calls);\n}\n`, ...own.flatMap(methodsOf)].join('\n'),
    );
    const models = [...new Set(body.match(/\b[A-Z]\w+\b/g))].filter((name) => MODEL(own, name)).sort();
    const imports = models.map((name) => `import dev.sutura.sdk.model.${name};\n`).join('');
    const isLast = index === tags.length - 1;
    const text = `${HEAD}package dev.sutura.sdk;\n\n${imports}\n${javadoc(`Operations on ${tag}.`)}abstract class ${isLast ? 'GeneratedOperations' : className(tag)} extends ${before} {\n${isLast ? body.replace(`${className(tag)}(Calls`, 'GeneratedOperations(Calls') : body}}\n`;
    return { path: `${isLast ? 'GeneratedOperations' : className(tag)}.java`, text };
  });
}

const className = (tag) => `${tag.split('-').map(pascal).join('')}Operations`;

function MODEL(operations, name) {
  return operations.some(
    ({ answer, body }) =>
      answer === name || body?.type === name || (answer?.endsWith('List') && itemOf(answer) === name),
  );
}

function queryMethod(type, { name, schema, description = '' }) {
  const told = javadoc(description === '' ? `Sets ${name}.` : description);
  if (schema.type === 'object')
    return `${told}public ${type} ${name}(String key, String value) {\n    put("${name}." + key, value);\n    return this;\n}\n`;
  const isSwitch = schema.enum?.length === 2 && schema.enum.includes('true');
  const given = isSwitch ? 'boolean' : schema.type === 'integer' ? 'long' : 'String';
  const value = given === 'String' ? name : `String.valueOf(${name})`;
  return `${told}public ${type} ${name}(${given} ${name}) {\n    put("${name}", ${value});\n    return this;\n}\n`;
}

/** Which items of a list are wanted. */
export function queryClasses(operations) {
  return operations
    .filter((one) => !one.isByHand && hasQueryType(one))
    .map((operation) => {
      const type = queryType(operation);
      const methods = operation.query.map((one) => queryMethod(type, one)).join('\n');
      const text = `${HEAD}package dev.sutura.sdk;\n\n${javadoc(`Which items ${operation.method} gives.`)}public final class ${type} extends Query {\n${indented(methods)}}\n`;
      return { path: `${type}.java`, text };
    });
}
