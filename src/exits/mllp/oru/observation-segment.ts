import { isAtLeastVersion, type CodedValue, type MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import type { Constants, LocalCodes } from '../settings/hl7-destination.js';
import { ROW } from '../settings/local-codes.js';
import { SUTURA_AUTHORITY } from './order-segments.js';
import type { JudgedRow, ResultRow, RowValue } from './result-row.js';

export interface ObservationFacts {
  /** OBX-14, formatted. */
  readonly capturedAt: string;
  /** OBX-16 of rows that a person is responsible for, raw. */
  readonly observer: string;
  /** OBX-20 from 2.7 on; null: none. */
  readonly site: CodedValue | null;
  readonly writeTime: (moment: Date) => string;
  /** Of a time as it was stated, perhaps a day alone. */
  readonly writeStated: (stated: string) => string;
  /** The receiver's own codes. */
  readonly codes: LocalCodes;
  /** What it wants in a field whatever the result. */
  readonly constants: Constants;
}

/** OBX. `place` counts from 1. */
export function toObservationSegment(
  writer: MessageWriter,
  { row, status }: JudgedRow,
  place: number,
  facts: ObservationFacts,
): string {
  const { value } = row;
  return writer.segment('OBX', {
    1: String(place),
    2: typeOf(writer, row),
    3: writer.coded(localised(row.code, facts.codes.observations)),
    4: row.subId,
    5:
      value === null
        ? ''
        : valueOf(writer, row.code.code === ROW.site.code ? withLocalSite(value, facts.codes) : value),
    6: row.unit === null ? '' : writer.coded(localised(row.unit, facts.codes.units)),
    8: row.interpretation,
    11: status,
    14: row.statedAt === undefined ? facts.capturedAt : facts.writeStated(row.statedAt),
    15: facts.constants['OBX-15'] ?? '',
    16: row.observed ? facts.observer : '',
    17: row.method === null ? '' : writer.coded(row.method),
    ...laterFields(writer, row, facts),
  });
}

/** OBX-18 and 19 exist from 2.4 on, OBX-20 from 2.7. */
function laterFields(
  writer: MessageWriter,
  { model, analysedAt, method }: ResultRow,
  { site, writeTime, codes, constants }: ObservationFacts,
): Readonly<Record<number, string>> {
  if (!isAtLeastVersion(writer.versionId, '2.4')) return {};
  const withSite = isAtLeastVersion(writer.versionId, '2.7') && method !== null && site !== null;
  return {
    18: model === null ? '' : writer.components(writer.text(model), ...SUTURA_AUTHORITY),
    19: analysedAt === null ? '' : writeTime(analysedAt),
    23: isAtLeastVersion(writer.versionId, '2.5.1') ? (constants['OBX-23'] ?? '') : '',
    20: withSite ? writer.coded(localised(site, codes.sites)) : '',
  };
}

function typeOf(writer: MessageWriter, { type }: ResultRow): string {
  return type === 'CWE' ? writer.codedType : type;
}

function withLocalSite(value: RowValue, { sites }: LocalCodes): RowValue {
  return value.type === 'CWE' ? { ...value, values: value.values.map((site) => localised(site, sites)) } : value;
}

function valueOf(writer: MessageWriter, value: RowValue): string {
  switch (value.type) {
    case 'CWE':
      return writer.repetitions(...value.values.map((coded) => writer.coded(coded)));
    case 'ED':
      return writer.components(SUTURA_AUTHORITY[0], ...value.kind, 'Base64', value.base64);
    case 'RP':
      return writer.components(writer.text(value.url), SUTURA_AUTHORITY[0], ...value.kind);
    case 'SN':
      return writer.components('', writer.text(value.from), ...(value.to === null ? [] : ['-', writer.text(value.to)]));
    case 'TX':
      return writer.formattedText(value.text);
    case 'ST':
    case 'NM':
      return writer.text(value.text);
  }
}

/** The receiver's own code with ours as the alternate; ours alone where its table has none. */
function localised(value: CodedValue, table: LocalCodes[keyof LocalCodes]): CodedValue {
  const stated = table[value.lookedUpAs ?? (value.code === '' ? (value.display ?? '') : value.code)];
  if (stated === undefined) return value;
  const [code = '', display = '', system = ''] = stated.split('^');
  const { code: ours, display: words, system: ofUs } = value;
  const alternate =
    ours === ''
      ? undefined
      : {
          code: ours,
          ...(words === undefined ? {} : { display: words }),
          ...(ofUs === undefined ? {} : { system: ofUs }),
        };
  return {
    code,
    display: display === '' ? (value.display ?? '') : display,
    system,
    ...(alternate === undefined ? {} : { alternate }),
  };
}
