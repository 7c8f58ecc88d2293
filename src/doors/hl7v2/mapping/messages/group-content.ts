import { planEvents } from '../resources/event.mapper.js';
import { planFinding } from '../resources/finding.mapper.js';
import type { RowAttachment } from '../reading/attachments.js';
import { isStillToDo } from '../reading/earlier-handling.js';
import { placeIn, timeOf, type Reading } from '../reading/message-reading.js';
import type { EventRow, FindingRow, SortedRow } from '../reading/observation-rows.js';
import type { SystemValue } from '../reading/identifiers.js';
import type { OrderGroup } from '../reading/order-groups.js';
import type { PlannedPatient } from '../resources/patient.mapper.js';
import { observedAt, planDocument, planPhoto, type FileContext, type FileRow } from '../resources/photo.mapper.js';
import type { PlannedResource } from '../plan/plan-draft.js';
import type { OrderNumbers } from './named-order.js';
import { joinDepthsAndPositions } from '../resources/undermining-and-tunnelling.mapper.js';
import { regionFor } from '../resources/photo-regions.js';
import { isScale, PhotoScales, type SentPhoto } from '../resources/photo-scales.js';
import { oncePerOrder, wasBroughtSince } from '../resources/repeated-photo.js';
import { planProcedure } from '../resources/procedure.mapper.js';
import {
  siteSaid,
  planClosings,
  planWound,
  woundNameOf,
  type GroupWounds,
  type WoundFacts,
} from '../resources/wound.mapper.js';

/** The patient, encounter and order that the rows belong to. */
export interface ContentContext {
  readonly patient: PlannedPatient;
  readonly encounter: PlannedResource | null;
  readonly order: PlannedResource | null;
  /** By which an order that is not here is called: its photos wait for it under them. */
  readonly numbers: OrderNumbers;
  readonly wounds: GroupWounds;
}

/** A photo of the message. */
interface FiledRow extends SentPhoto {
  readonly subject: string;
  readonly attachment: RowAttachment;
}

/**
 * Plans the photos, documents and findings of an order. Photos come first: findings are derived from those of the same
 * wound.
 */
export async function planContent(
  reading: Reading,
  group: OrderGroup,
  rows: readonly SortedRow[],
  context: ContentContext,
): Promise<void> {
  const { patient, encounter, order, wounds } = context;
  const ofOrder = group.obr === null ? undefined : timeOf(reading, group.obr, 7)?.dateTime;
  const { photos, resent } = await planFiles(reading, rows, context, ofOrder);
  const scales = new PhotoScales();
  const findings = rows.filter(
    (one): one is FindingRow => one.kind === 'finding' && isStillToDo(reading.earlier, one.obx),
  );
  for (const { row, value } of joinDepthsAndPositions(reading, findings)) {
    const mine = photos.filter(({ subject }) => wounds.only !== null || subject === row.subject);
    if ((mine.length > 0 ? mine : photos).some((one) => resent.includes(one))) {
      // Whether the later message says this one, too, a person has to see.
      reading.draft.refuse('finding.said_since', placeIn(row.obx));
      continue;
    }
    const finding = {
      patient,
      encounter,
      order,
      wound: await planWound(reading, wounds.factsFor(row.subject), patient),
      photos: isScale(row) ? scales.photosOf(reading, row, mine) : mine.map(({ photo }) => photo),
      observedAt: observedAt(reading, row, ofOrder),
    };
    await planFinding(reading, row, finding, value);
  }
  await planRemarks(reading, group, rows, context);
}

/** The photos, and those of them that came once more since (`resent`); a document that did is left out. */
async function planFiles(
  reading: Reading,
  rows: readonly SortedRow[],
  context: ContentContext,
  ofOrder: string | undefined,
): Promise<{ readonly photos: readonly FiledRow[]; readonly resent: readonly FiledRow[] }> {
  const { patient, encounter, order, numbers, wounds } = context;
  const photos: FiledRow[] = [];
  const documents: { readonly row: FileRow; readonly attachment: RowAttachment; readonly file: FileContext }[] = [];
  for (const row of rows.filter((one): one is FileRow => one.kind === 'file')) {
    const facts = wounds.factsFor(row.subject);
    const file: FileContext = {
      patient,
      encounter,
      order,
      numbers,
      wound: await planWound(reading, facts, patient),
      site: siteSaid(facts),
      takenAt: observedAt(reading, row, ofOrder),
      region: regionFor(reading, rows, row),
    };
    for (const attachment of row.attachments) {
      if (attachment.kind === 'image')
        photos.push({
          subject: row.subject,
          attachment,
          subId: row.obx.field(4).text.trim(),
          photo: await oncePerOrder(reading, file, attachment, () => planPhoto(reading, row, attachment, file)),
        });
      else if (isStillToDo(reading.earlier, row.obx)) documents.push({ row, attachment, file });
    }
  }
  const resent = broughtSince(reading, photos);
  for (const { row, attachment, file } of documents)
    if (wasBroughtSince(reading, attachment)) reading.draft.warn('finding.said_since', attachment.place);
    else planDocument(reading, row, attachment, file);
  return { photos, resent };
}

/**
 * The photos of a message that is read once more which a later one brought as well: that one says the rest itself, perhaps corrected, and of one moment
 * the newest finding counts, which Monday's would be then.
 */
function broughtSince(reading: Reading, photos: readonly FiledRow[]): readonly FiledRow[] {
  return photos.filter(({ attachment }) => wasBroughtSince(reading, attachment));
}

/** What people did to the wounds, and decided of them. */
async function planRemarks(
  reading: Reading,
  { obr, procedures }: OrderGroup,
  rows: readonly SortedRow[],
  { patient, encounter, wounds }: ContentContext,
): Promise<void> {
  await planClosings(reading, wounds, patient);
  const ofOrder = obr === null ? undefined : timeOf(reading, obr, 7)?.dateTime;
  const events = rows.filter((one): one is EventRow => one.kind === 'event' && isStillToDo(reading.earlier, one.obx));
  for (const row of events) {
    const wound = await namedWound(reading, wounds.factsFor(row.subject), patient);
    await planEvents(reading, row, { patient, encounter, wound, observedAt: observedAt(reading, row, ofOrder) });
  }
  if (procedures.length === 0) return;
  const wound = wounds.only === null ? 'several' : await namedWound(reading, wounds.only, patient);
  for (const one of procedures) await planProcedure(reading, one, { patient, encounter, wound: wound ?? 'unnamed' });
}

/** The wound with the name that events of it are told apart by; null: it has no number. */
async function namedWound(
  reading: Reading,
  facts: WoundFacts,
  patient: PlannedPatient,
): Promise<(PlannedResource & { readonly name: SystemValue }) | null> {
  const planned = await planWound(reading, facts, patient);
  return planned === null ? null : { ...planned, name: woundNameOf(reading, facts.number!.value) };
}

export function hasPhotos(rows: readonly SortedRow[]): boolean {
  return rows.some((row) => row.kind === 'file' && row.attachments.some(({ kind }) => kind === 'image'));
}

/** The first row with a photo, or else the order itself: the place at which a missing wound number is reported. */
export function photoSegmentOf(group: OrderGroup, rows: readonly SortedRow[]): NonNullable<OrderGroup['obr']> | null {
  return rows.find((row) => row.kind === 'file')?.obx ?? group.obr ?? group.orc;
}
