import { LIST_MODELS } from '../../src/doors/native/models/models.routes.js';
import { OUTLINE_MODEL, outlineManifest } from '../support/shipped-models.js';
import { rowsOf, textOf } from './pages.js';

const CARD = textOf(`models/${OUTLINE_MODEL}/MODEL_CARD.md`);
const TRAINING = textOf('models/training/README.md');
const MEASUREMENT = textOf('docs/measurement.md');
interface Judged {
  readonly pictures: number;
  readonly dataSetDice: number;
  readonly meanDice: number;
}

const MANIFEST = outlineManifest<{
  readonly version: string;
  readonly sha256: string;
  readonly areaRepeatabilityPct: number;
  readonly presence: { readonly threshold: number; readonly expectedCalibrationError: number };
  readonly confidence: { readonly expectedCalibrationError: number };
  readonly familiarity: { readonly reliableFrom: number };
  readonly metrics: { readonly outOfFold: Judged; readonly foldThroughService?: Judged };
}>();
/** What names the model that ships, and no other. */
const NAMED_IN = [
  'docs/index.md',
  'docs/models.md',
  'docs/inference-engines.md',
  'docs/deployment.md',
  'docs/openapi.json',
  'src/doors/native/models/models.routes.ts',
];

/** The first cell of a row without its marks, and the others. */
const rowOf = (page: string, name: string): readonly string[] => {
  const row = rowsOf(page).find(([first]) => first?.trim().startsWith(name));
  if (!row) throw new Error(`no row "${name}"`);
  return row.map((cell) => cell.trim());
};

/** Mean Dice with its interval, the one cell of such a row that stands on every page. */
const meanDiceOf = (page: string, tone: string): string => {
  const cells = rowOf(page.slice(page.search(/skin tone|Skin of the foot/i)), tone).slice(2);
  const dices = cells.filter((cell) => /^0\.\d{3} \(0\.\d{3} to 0\.\d{3}\)$/.test(cell));
  return dices[dices.length > 1 ? 1 : 0]!;
};

describe('the outline model that ships', () => {
  it.each(NAMED_IN)('is the one that %s names', (page) => {
    const named = textOf(page).matchAll(/[Ww]ound[- ]segmentation(?:-fast)?[- ](\d+\.\d+\.\d+)/g);
    expect([...new Set([...named].map(([, version]) => version))]).toEqual([MANIFEST.version]);
  });

  it('is in the example of the list of models what its manifest states', () => {
    const { items } = LIST_MODELS.answers[0]!.examples!['models'] as { items: object[] };
    const { version, sha256, metrics } = MANIFEST;
    expect(items[0]).toMatchObject({ version, sha256, metrics: { outOfFold: metrics.outOfFold } });
  });
});

describe('the figures of the shipped outline model', () => {
  it('are in its card what its manifest states', () => {
    const { outOfFold, foldThroughService } = MANIFEST.metrics;
    const [, pictures, dataSet, mean] = rowOf(CARD, 'All');
    expect([pictures, dataSet!.slice(0, 5), mean!.slice(0, 5)]).toEqual([
      String(outOfFold.pictures),
      outOfFold.dataSetDice.toFixed(3),
      outOfFold.meanDice.toFixed(3),
    ]);
    const through = foldThroughService && [foldThroughService.dataSetDice, foldThroughService.meanDice];
    expect(
      CARD.match(/Through the service's own code.*data-set Dice (0\.\d+).*?mean (0\.\d+)/)
        ?.slice(1)
        .map(Number),
    ).toEqual(through);
    expect(rowOf(CARD, 'Repeatability of an area')[1]).toContain(`${MANIFEST.areaRepeatabilityPct.toFixed(1)} %`);
    expect(rowOf(CARD, 'Expected calibration error of the presence').at(-1)).toBe(
      String(MANIFEST.presence.expectedCalibrationError),
    );
    expect(rowOf(CARD, 'Expected calibration error of an outline')[1]).toContain(
      MANIFEST.confidence.expectedCalibrationError.toFixed(3),
    );
    expect(CARD).toContain(`whose presence is below ${MANIFEST.presence.threshold.toFixed(2)}`);
  });

  it('are on the training page what its manifest states', () => {
    const { pictures, dataSetDice, meanDice } = MANIFEST.metrics.outOfFold;
    expect(TRAINING).toContain(`All ${pictures} pictures: data-set Dice ${dataSetDice.toFixed(3)}`);
    expect(TRAINING).toContain(`mean ${meanDice.toFixed(3)}`);
    expect(TRAINING).toContain(`${MANIFEST.areaRepeatabilityPct.toFixed(1)} % (aim 6 %)`);
    expect(MEASUREMENT).toContain(`\`reliableFrom\` (${MANIFEST.familiarity.reliableFrom})`);
  });

  it('state of seeing a wound, and of staying quiet, what the training page states of the head that ships', () => {
    const training = rowsOf(TRAINING).find(([evidence]) => evidence?.includes(`(${MANIFEST.version})**`))!;
    const names = ['labelled wounds over 600 px', 'smaller ones', 'other open wounds', 'without an open wound'];
    const card = [...names, '– whole photos', '– windows of photos'].map((name) => rowOf(CARD, name).at(-1)!);
    expect(card.map((cell) => cell.replace(' %', ''))).toEqual(training.slice(2, 8).map((cell) => cell.trim()));
  });

  it('state by skin tone what the training page states', () => {
    const training = TRAINING.slice(TRAINING.indexOf('### By skin tone'));
    for (const tone of ['dark', 'doubtful', 'lighter']) {
      const dice = meanDiceOf(training, tone);
      expect([meanDiceOf(CARD, tone), meanDiceOf(MEASUREMENT, tone)]).toEqual([dice, dice]);
    }
    const short = `mean Dice ${meanDiceOf(training, 'dark').slice(0, 5)} against ${meanDiceOf(training, 'lighter').slice(0, 5)}`;
    for (const page of ['docs/hazards.md', 'CHANGELOG.md']) expect(textOf(page)).toContain(short);
  });
});
