// The collection of postman.mjs as a folder of files for Bruno: one for each request.
import { STEPS } from './first-analysis.mjs';

const indented = (text) => text.replace(/^(?=.)/gm, '  ');
const block = (head, text) => (text === '' ? '' : `${head} {\n${indented(text)}\n}\n\n`);
const off = ({ disabled }) => (disabled === true ? '~' : '');
const pairs = (list) => list.map((one) => `${off(one)}${one.key}: ${one.value}`.trimEnd()).join('\n');
/** What stands before a comma, in letters and digits alone: a name of a file on every system. */
const fileName = (name) =>
  name
    .split(/[,;]/)[0]
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-');

function bodyOf(body) {
  if (body === undefined) return ['none', ''];
  if (body.mode === 'raw') return ['json', block('body:json', body.raw)];
  return ['file', block('body:file', `file: @file(${body.file.src}) @contentType(image/jpeg)`)];
}

function addressOf(url) {
  if (typeof url === 'string') return url;
  return url.raw;
}

/** As a runner of Bruno calls them. */
function checksOf(name) {
  const step = STEPS.find((one) => one.name === name);
  if (step === undefined) return '';
  const keeps = Object.entries(step.keeps ?? {}).map(
    ([variable, value]) => `bru.setVar("${variable}", ${value.replace(/^answer/, 'res.body')});`,
  );
  const test = `test("answers ${step.status}", function () {\n  expect(res.getStatus()).to.equal(${step.status});\n});`;
  return block('script:post-response', keeps.join('\n')) + block('tests', test);
}

function fileOf({ name, request }, at) {
  const { method, url, header, body, auth, description } = request;
  const [mode, text] = bodyOf(body);
  const query = typeof url === 'string' ? [] : (url.query ?? []);
  const variables = typeof url === 'string' ? [] : (url.variable ?? []);
  const address = [`url: ${addressOf(url)}`, `body: ${mode}`, `auth: ${auth === undefined ? 'inherit' : 'none'}`];
  return [
    block('meta', `name: ${name}\ntype: http\nseq: ${at + 1}`),
    block(method.toLowerCase(), address.join('\n')),
    block('params:query', pairs(query)),
    block('params:path', pairs(variables)),
    block('headers', pairs(header)),
    text,
    checksOf(name),
    block('docs', (description ?? '').replace(/^\}/gm, ' }')),
  ]
    .join('')
    .trimEnd()
    .concat('\n');
}

/** Paths and texts of all files. */
export function brunoOf({ info, variable, item }) {
  const values = variable.filter(({ key }) => key !== 'apiKey');
  const settings = { version: '1', name: info.name, type: 'collection', ignore: ['node_modules', '.git'] };
  const whole = [
    block('auth', 'mode: bearer'),
    block('auth:bearer', 'token: {{apiKey}}'),
    block('vars:pre-request', pairs(values.filter(({ key }) => key !== 'baseUrl'))),
    block('docs', info.description),
  ];
  return [
    ['bruno.json', `${JSON.stringify(settings, null, 2)}\n`],
    ['collection.bru', whole.join('').trimEnd().concat('\n')],
    [
      'environments/Test.bru',
      `${block('vars', pairs(values.filter(({ key }) => key === 'baseUrl')))}vars:secret [\n  apiKey\n]\n`,
    ],
    ...item.flatMap((folder, at) => [
      [
        `${fileName(folder.name)}/folder.bru`,
        `${block('meta', `name: ${folder.name}\nseq: ${at + 1}`)}${block('auth', 'mode: inherit')}`
          .trimEnd()
          .concat('\n'),
      ],
      ...folder.item.map((one, index) => [`${fileName(folder.name)}/${fileName(one.name)}.bru`, fileOf(one, index)]),
    ]),
  ];
}
