const NONE = '–';
const HEADINGS = ['Date', 'Area cm² (90 % bounds)', 'Drawn', 'Off', 'Since last', 'Since first', 'Trend', 'Flags'];

/** The timeline as a table, with the true area of each week beside the measured one. Both lists are oldest first. */
export function timelineTable(assessments, course) {
  const rows = assessments.map((assessment, index) => rowOf(assessment, course[index]?.areaCm2));
  const widths = HEADINGS.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column].length)));
  const line = (cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd();
  return [line(HEADINGS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function rowOf({ capturedAt, areaCm2, noTrendReason, sincePrevious, sinceBaseline, trend, flags }, trueCm2) {
  return [
    capturedAt.slice(0, 10),
    areaCm2 === null
      ? NONE
      : `${areaCm2.value.toFixed(2)} (${areaCm2.lower.toFixed(2)} to ${areaCm2.upper.toFixed(2)})`,
    trueCm2 === undefined ? NONE : trueCm2.toFixed(2),
    areaCm2 === null || trueCm2 === undefined ? NONE : percent((100 * (areaCm2.value - trueCm2)) / trueCm2),
    sincePrevious === null ? NONE : percent(sincePrevious.areaPct),
    sinceBaseline === null ? NONE : percent(sinceBaseline.areaPct),
    inWords(trend ?? noTrendReason ?? NONE),
    flags.map(({ code }) => inWords(code)).join(', '),
  ];
}

function percent(value) {
  return `${value > 0 ? '+' : ''}${value.toFixed(1)} %`;
}

function inWords(code) {
  return code.replaceAll('_', ' ');
}
