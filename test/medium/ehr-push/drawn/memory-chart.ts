import type { Resource } from '../../../support/fake-ehr/index.js';
import type { MemoryHistory } from './memory-history.js';

/** What people see of a part of the report in the charts. */
export interface Shown {
  /** `Type/id`. */
  readonly reference: string;
  /** Of the version whose content it has. */
  readonly mark: number;
  /** `Patient/id`. */
  readonly patient: string;
  readonly status: string;
}

export type ShownType = 'DocumentReference' | 'Observation';

/** Everything of a type, oldest first. */
export function shownOf({ chart }: MemoryHistory, type: ShownType): readonly Shown[] {
  const all = chart.state.chart;
  const ours = all.ofType(type).filter((one) => type !== 'Observation' || isArea(one));
  return ours.map((one) => ({
    reference: `${type}/${String(one['id'])}`,
    mark: type === 'Observation' ? markOfFigure(one) : markOfDocument(one, all.ofType('Binary')),
    patient: (one['subject'] as { readonly reference: string }).reference,
    status: String(one['status']),
  }));
}

export function standing(all: readonly Shown[]): readonly Shown[] {
  return all.filter(({ status }) => status !== 'entered-in-error' && status !== 'superseded');
}

export const BY_HAND = 'Seen by hand';

/** A clinician writes into it. */
export function edit({ chart }: MemoryHistory, reference: string): void {
  const isDocument = reference.startsWith('DocumentReference/');
  chart.state.chart.amend(reference, isDocument ? { description: BY_HAND } : { note: [{ text: BY_HAND }] });
}

export function isEdited(resource: Resource): boolean {
  return JSON.stringify([resource['description'], resource['note']]).includes(BY_HAND);
}

/** The others have the same content in every version. */
function isArea({ valueQuantity }: Resource): boolean {
  return (valueQuantity as { readonly code?: unknown } | undefined)?.code === 'cm2';
}

function markOfFigure({ valueQuantity }: Resource): number {
  return Math.round(((valueQuantity as { readonly value: number }).value - 10) * 10);
}

/** By its bytes, which the EHR may keep beside it. */
function markOfDocument(document: Resource, binaries: readonly Resource[]): number {
  const [{ attachment }] = document['content'] as [{ attachment: { data?: string; url?: string } }];
  const id = attachment.url?.split('/').at(-1);
  const binary = binaries.find((one) => one['id'] === id);
  const text = Buffer.from(attachment.data ?? String(binary?.['data']), 'base64').toString('utf8');
  return Number(/mark (\d+)\./.exec(text)![1]);
}
