/** A DiagnosticReport and its Observations as lines for people. */
export function reportText(report, observations) {
  const rows = observations.flatMap((observation) => rowsOf(observation));
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `DiagnosticReport/${report.id} (${report.status}, photo of ${report.effectiveDateTime.slice(0, 10)})`,
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    `  ${report.conclusion.replaceAll('\n', '\n  ')}`,
  ].join('\n');
}

function rowsOf({ code, component = [], ...observation }) {
  const value = valueOf(observation);
  const own = value === null ? [] : [[nameOf(code), value]];
  return [
    ...own,
    ...component.flatMap((part) =>
      valueOf(part) === null ? [] : [[`${own.length === 0 ? '' : '  '}${nameOf(part.code)}`, valueOf(part)]],
    ),
  ];
}

function valueOf({ valueQuantity, valueCodeableConcept, valueString, valueInteger, dataAbsentReason }) {
  if (valueQuantity !== undefined) return `${valueQuantity.value} ${unitOf(valueQuantity)}`.trim();
  if (valueCodeableConcept !== undefined) return nameOf(valueCodeableConcept);
  if (dataAbsentReason !== undefined) return `– (${nameOf(dataAbsentReason)})`;
  return valueString ?? (valueInteger === undefined ? null : String(valueInteger));
}

function nameOf({ text, coding = [] }) {
  // The most particular code stands last: of a tissue's share, which tissue.
  const named = coding.findLast(({ display }) => display !== undefined) ?? coding.at(-1);
  return text ?? named?.display ?? named?.code ?? 'value';
}

/** Nothing for UCUM's 1, which stands for a plain number. */
function unitOf({ unit, code }) {
  return code === '1' ? '' : (unit ?? code ?? '');
}
