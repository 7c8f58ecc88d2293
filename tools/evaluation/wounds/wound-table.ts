import { estimateLine, modelsLine, perCent, pixels, share, toText, type TableLine } from '../report/text-table.js';
import type { SizeClass } from '../metrics/size-class.js';
import { speedLines } from '../report/speed.js';
import type { WoundReport } from './wound-report.js';

/** The report as people read it. */
export function toWoundTable(report: WoundReport): string {
  const { pictures } = report;
  return toText([
    { title: modelsLine(report), lines: [] },
    {
      title: 'Pictures',
      lines: [
        ['Compared', String(pictures.count)],
        ['With a labelled wound', String(pictures.labelled)],
        ['… of these without any outline', String(pictures.missed)],
        ['With an empty label', String(pictures.emptyLabel)],
        ['… of these without any outline', String(pictures.emptyLabelStayedEmpty)],
      ],
    },
    { title: 'Outlines (figure, 95 % interval)', lines: outlineLines(report) },
    { title: 'Mean Dice by labelled area, at 512 pixels', lines: sizeLines(report) },
    { title: 'Area', lines: areaLines(report) },
    { title: 'Bounds of outlined wounds by labelled area, at 512 pixels', lines: boundsLines(report) },
    {
      title: 'Confidence',
      lines: [
        estimateLine(
          `Calibration error, outlines (n = ${report.confidence.outlines.count})`,
          report.confidence.outlines.expectedCalibrationError,
          share,
        ),
        estimateLine(
          `Calibration error, photos (n = ${report.confidence.photos.count})`,
          report.confidence.photos.expectedCalibrationError,
          share,
        ),
      ],
    },
    { title: 'Speed, one photo after another', lines: speedLines(report.speed) },
  ]);
}

function outlineLines(report: WoundReport): TableLine[] {
  return [
    estimateLine('Dice of the data set (pooled)', report.dice.dataSet, share),
    estimateLine('Dice, mean over labelled pictures', report.dice.mean, share),
    estimateLine('Precision', report.precision, share),
    estimateLine('Recall', report.recall, share),
    estimateLine('IoU of the data set (pooled)', report.iou.dataSet, share),
    estimateLine('IoU, mean over labelled pictures', report.iou.mean, share),
    estimateLine(
      `Hausdorff distance 95 %, mean (n = ${report.hausdorff95.pictures})`,
      report.hausdorff95.meanPx,
      pixels,
    ),
    estimateLine('Hausdorff distance 95 %, median', report.hausdorff95.medianPx, pixels),
    estimateLine('… mean, as share of the diagonal', report.hausdorff95.meanShareOfDiagonal, perCent),
  ];
}

function sizeLines({ diceBySize }: WoundReport): TableLine[] {
  return diceBySize.map(({ pictures, meanDice, ...size }) =>
    estimateLine(`${rangeOf(size)} (n = ${pictures})`, meanDice, share),
  );
}

function boundsLines({ areaBounds }: WoundReport): TableLine[] {
  return areaBounds.bySize.flatMap(({ outlinedWounds, coverageOfOutlined, medianHalfWidth, ...size }) => [
    estimateLine(`${rangeOf(size)} (n = ${outlinedWounds}), in its bounds`, coverageOfOutlined, perCent),
    estimateLine('… median half-width', medianHalfWidth, perCent),
  ]);
}

function rangeOf({ fromPx, toPx }: SizeClass): string {
  return toPx === null ? `${fromPx} px and more` : `${fromPx} to ${toPx} px`;
}

function areaLines({ areaError, areaBounds }: WoundReport): TableLine[] {
  return [
    estimateLine('Error, median', areaError.medianAbsolute, perCent),
    estimateLine('Error, mean', areaError.meanAbsolute, perCent),
    estimateLine('Bias, median', areaError.medianBias, perCent),
    estimateLine('Bias, mean', areaError.meanBias, perCent),
    estimateLine(`In its bounds, of labelled wounds (n = ${areaBounds.labelledWounds})`, areaBounds.coverage, perCent),
    estimateLine(
      `In its bounds, of outlined wounds (n = ${areaBounds.outlinedWounds})`,
      areaBounds.coverageOfOutlined,
      perCent,
    ),
    estimateLine('Half-width of its bounds, median', areaBounds.medianHalfWidth, perCent),
  ];
}
