const cm2 = (value) => (value === null ? '–' : `${value} cm²`);
const codes = (list) => list.map((code) => `\`${code}\``).join(', ');

function rowOf({ name, shows, drawnAreaCm2, seen }) {
  if (seen.job === 'refused')
    return `| \`${name}.jpg\` | ${shows} | none: \`${seen.refusedWith}\` | – | ${cm2(drawnAreaCm2)} | |`;
  const outlines = seen.woundDetected
    ? (seen.outlines ?? (seen.outlineReliable ? 'not stated' : 'not reliable'))
    : 'no wound';
  const told = [
    ...(seen.acceptable ? [] : ['not acceptable']),
    ...(seen.necrosisShare === null ? [] : [`necrosis ${seen.necrosisShare} of the bed`]),
    ...(seen.warnings.length === 0 ? [] : [codes(seen.warnings)]),
    ...(seen.attention.length === 0 ? [] : [`the report waits: ${codes(seen.attention)}`]),
  ];
  return `| \`${name}.jpg\` | ${shows} | ${outlines} | ${cm2(seen.areaCm2)} | ${cm2(drawnAreaCm2)} | ${told.join('; ')} |`;
}

/** What was seen of each sample, as samples/README.md has it. */
export function tableOf({ samples, series, seenWith, seenOn }) {
  const models = seenWith.map(({ name, version }) => `${name} ${version}`).join(', ');
  return [
    `Seen on ${seenOn} with ${models}:`,
    '',
    '| File | Shows | Outlines | Area | Drawn | What else it tells |',
    '|---|---|---|---|---|---|',
    ...samples.map(rowOf),
    '',
    ...series.map(
      ({ name, daysApart, seen }) =>
        `The series \`${name}\`, one patient and wound, ${daysApart} days apart, ends with the verdict \`${seen.verdict}\`${seen.flags.length === 0 ? '' : ` and ${codes(seen.flags)}`}.`,
    ),
  ].join('\n');
}
