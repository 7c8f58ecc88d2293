import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';

/** The models that are shipped, as components with model cards: what manifest.json and MODEL_CARD.md state. */
export async function modelComponents(root) {
  const folders = (await readdir(join(root, 'models'), { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const found = await Promise.all(folders.map(({ name }) => modelComponent(join(root, 'models', name))));
  return found.filter((component) => component !== null);
}

async function modelComponent(folder) {
  const written = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null);
  if (written === null) return null;
  const manifest = JSON.parse(written);
  const sha256 = createHash('sha256')
    .update(await readFile(join(folder, manifest.file)))
    .digest('hex');
  if (sha256 !== manifest.sha256) throw new Error(`${folder}/${manifest.file} is not the model of its manifest.`);
  const card = await readFile(join(folder, 'MODEL_CARD.md'), 'utf8');
  const purl = `pkg:generic/${manifest.name}@${manifest.version}`;
  return {
    type: 'machine-learning-model',
    'bom-ref': purl,
    name: manifest.name,
    version: manifest.version,
    description: paragraphOf(card),
    scope: 'required',
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    licenses: [{ license: { name: manifest.licence } }],
    purl,
    modelCard: {
      modelParameters: {
        approach: { type: 'supervised' },
        task: manifest.task,
        modelArchitecture: rowOf(card, 'Network'),
        datasets: listOf(card, 'Data').map(dataset),
        inputs: [{ format: rowOf(card, 'Input') }],
        outputs: [{ format: rowOf(card, 'Output') }],
      },
      quantitativeAnalysis: { performanceMetrics: metricsOf(manifest.metrics) },
      considerations: {
        useCases: ['Research and evaluation; decision support, not a diagnosis. Not a cleared medical device.'],
        technicalLimitations: listOf(card, 'Limits'),
        ethicalConsiderations: [{ name: `Licence of the data: ${rowOf(card, 'Licence of the data')}` }],
      },
      properties: [{ name: 'sutura:researchOnly', value: String(manifest.researchOnly) }],
    },
  };
}

/** What is said below the title. */
function paragraphOf(card) {
  return plain(card.split(/\n\n/)[1]);
}

function rowOf(card, title) {
  const cell = new RegExp(`^\\| ${title} \\| (.*) \\|$`, 'm').exec(card)?.[1];
  if (cell === undefined) throw new Error(`A model card has no row "${title}".`);
  return plain(cell);
}

/** The bullets below a heading, or its paragraph where it has none. */
function listOf(card, heading) {
  const body = new RegExp(`^## ${heading}\\n\\n([\\s\\S]*?)(?=\\n## |\\n\\n[^-]|$(?![\\s\\S]))`, 'm').exec(card)?.[1];
  if (body === undefined) throw new Error(`A model card has no part "${heading}".`);
  return body
    .trim()
    .split(/\n(?=- )/)
    .map((line) => plain(line.replace(/^- /, '')));
}

function dataset(text) {
  const [name] = text.split(/[:,;]/);
  return { type: 'dataset', name, description: text };
}

/** Each number of the manifest's metrics: the group and its pictures are the slice, the rest of the path the type. */
function metricsOf(metrics) {
  return Object.entries(metrics).flatMap(([group, { pictures, folds, ...figures }]) => {
    const slice = `${group}: ${pictures} pictures${folds === undefined ? '' : `, ${folds} folds`}`;
    return Object.entries(figures).flatMap(([name, value]) =>
      typeof value === 'number'
        ? [{ type: name, value: String(value), slice }]
        : Object.entries(value).map(([part, number]) => ({ type: `${name} ${part}`, value: String(number), slice })),
    );
  });
}

function plain(markdown) {
  return markdown
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
