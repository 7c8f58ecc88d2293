import { createHash } from 'node:crypto';
import type { DocumentReference } from '@medplum/fhirtypes';
import type { InstalledModel } from '../../../core/analysis/model-catalogue.js';
import {
  identifierSystem,
  INPUT_PROMPT,
  MARKDOWN_FORMAT,
  MODEL_CARD,
  modelCardId,
  profileUrl,
} from '../../../reports/index.js';
import { oneLine } from './one-line.js';

const LONGEST_DESCRIPTION = 500;
/** Of one text of a manifest, in signs. */
const LONGEST_TEXT = 2000;
/** Figures of a manifest that fill more are left out of the card made from it. */
const LONGEST_FIGURES = 32 * 1024;

/** The card of a model: its maker's, or one made from the manifest. `date`: when this wording of it was first shown. */
export function toModelCard(model: InstalledModel, date: string): DocumentReference {
  const { name, version, sha256 } = model;
  const bytes = Buffer.from(hasOwnCard(model) ? model.card : cardOfManifest(model));
  return {
    resourceType: 'DocumentReference',
    id: modelCardId(model),
    // The guide's own profile is met and not claimed: a validator without the guide refuses what claims it.
    meta: { profile: [profileUrl('sutura-ai-model-card')] },
    identifier: [
      { system: identifierSystem('model'), value: oneLine(`${name}/${version}`) },
      { system: identifierSystem('model-weights'), value: sha256 },
    ],
    status: 'current',
    type: { coding: [{ ...MODEL_CARD }] },
    category: [{ coding: [{ ...INPUT_PROMPT }] }, { coding: [{ ...MARKDOWN_FORMAT }] }],
    date,
    description: descriptionOf(model),
    content: [
      {
        attachment: {
          contentType: 'text/markdown',
          data: bytes.toString('base64'),
          size: bytes.length,
          hash: createHash('sha1').update(bytes).digest('base64'),
          title: oneLine(`${name} ${version}`),
        },
      },
    ],
  };
}

/** A card that is cut off may lack the very limits that its reader needs. */
function hasOwnCard(model: InstalledModel): model is InstalledModel & { readonly card: string } {
  return model.card !== null && model.cardIsWhole && model.card.trim() !== '';
}

function descriptionOf({ name, version, task, researchOnly, licence }: InstalledModel): string {
  const use = researchOnly ? 'Its licence forbids the use on patients: ' : 'Licence: ';
  return oneLine(`Card of the model ${name} ${version} (${task}). ${use}${licence}`, LONGEST_DESCRIPTION);
}

/** Markdown; nothing that the manifest says is read as Markdown or HTML. */
function cardOfManifest(model: InstalledModel): string {
  const { name, version, task, variant, researchOnly, licence, sha256, metrics } = model;
  const rows = [
    ['Task', task],
    ...(variant === null ? [] : [['Variant', variant]]),
    ['Licence', licence],
    ['Licence forbids the use on patients', researchOnly ? 'yes' : 'no'],
    ['SHA-256 of the weights', sha256],
  ];
  return [
    `# ${literal(`${name} ${version}`)}`,
    `Made from the manifest of the model: ${reasonOf(model)}. Intended use, training data and limits are not stated here.`,
    ['| | |', '|---|---|', ...rows.map(([title, value]) => `| ${title} | ${literal(value!)} |`)].join('\n'),
    ...figuresOf(metrics),
    '',
  ].join('\n\n');
}

function reasonOf({ card, cardIsWhole }: InstalledModel): string {
  if (card === null) return 'its maker gave no card, or none that can be read';
  return cardIsWhole ? 'the card of its maker is empty' : 'the card of its maker is longer than 64 KiB';
}

/** No line of indented JSON ends the block, whatever its texts say. */
function figuresOf(metrics: InstalledModel['metrics']): string[] {
  if (metrics === null) return [];
  const json = JSON.stringify(metrics, null, 2);
  const shown = json.length > LONGEST_FIGURES ? 'Too many to be shown here.' : `\`\`\`json\n${json}\n\`\`\``;
  return ['## Figures as its maker states them', shown];
}

/** Text in one line that Markdown leaves as it is. */
function literal(text: string): string {
  return oneLine(text, LONGEST_TEXT).replace(/[!"#$&'*+<=>?@[\\\]^_`{|}~]/g, '\\$&');
}
