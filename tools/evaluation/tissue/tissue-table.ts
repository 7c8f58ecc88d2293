import { speedLines } from '../report/speed.js';
import { estimateLine, modelsLine, share, toText, type TableLine } from '../report/text-table.js';
import type { TissueReport } from './tissue-report.js';

/** Width of a column of the confusion table. */
const CELL_WIDTH = 13;

/** The report as people read it. */
export function toTissueTable(report: TissueReport): string {
  const { confusion } = report;
  const cells = (texts: readonly string[]) => texts.map((text) => text.padStart(CELL_WIDTH)).join('');
  const tissueLines = Object.entries(report.dice).flatMap(([name, { pictures, dataSet, mean }]): TableLine[] => [
    estimateLine(`${name}, pooled`, dataSet, share),
    estimateLine(`${name}, mean (n = ${pictures})`, mean, share),
  ]);
  return toText([
    { title: modelsLine(report), lines: [] },
    { title: 'Pictures', lines: [['Compared', String(report.pictures.count)]] },
    {
      title: 'Dice (figure, 95 % interval)',
      lines: [
        ...tissueLines,
        estimateLine('mean of the tissues, pooled', report.meanDice, share),
        estimateLine('wound bed: slough and granulation', report.woundBedDice, share),
      ],
    },
    {
      title: 'Pixels: a row for each labelled class, a column for each found one',
      lines: [
        ['', '', cells(confusion.classes)],
        ...confusion.rows.map((row, index): TableLine => [confusion.classes[index]!, '', cells(row.map(String))]),
      ],
    },
    { title: 'Speed, one picture after another', lines: speedLines(report.speed) },
  ]);
}
