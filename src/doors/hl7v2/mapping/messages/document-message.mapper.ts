import { inTurns } from '../../../../platform/turns/turns.js';
import type { DocumentReference, Reference } from '@medplum/fhirtypes';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { RowAttachment } from '../reading/attachments.js';
import { conceptOf } from '../reading/coded-values.js';
import { hasPhotos } from './group-content.js';
import { placeOf, planEncounter } from '../resources/encounter.mapper.js';
import { criteriaOf, keyOf, numberOf, type SystemValue } from '../reading/identifiers.js';
import { keeping, placeIn, plain, definedOnly, timeOf, type Reading } from '../reading/message-reading.js';
import { sortRows, type SortedRow } from '../reading/observation-rows.js';
import { documentNumber, isDocumentLeft, parentNumber } from './named-document.js';
import { findOrder, orderNumbersOf, type OrderNumbers } from './named-order.js';
import { receivedOrderOf } from './read-order.js';
import { isText, secondOrderOf, wholeGroup } from './document-group.js';
import { sectionsOf, type ObservationRow, type OrderGroup, type PatientSection } from '../reading/order-groups.js';
import { planPatient, type PlannedPatient } from '../resources/patient.mapper.js';
import { practitionerOf } from '../reading/persons.js';
import { observedAt, planPhoto, type FileContext, type FileRow } from '../resources/photo.mapper.js';
import { referenceTo, type PlannedResource } from '../plan/plan-draft.js';
import { oncePerOrder } from '../resources/repeated-photo.js';
import { orderOfFiledPhotos } from '../resources/filed-orders.js';
import { begunOrder, isOpen, serviceRequestOf } from '../resources/service-request.mapper.js';
import { isWoundNumberMissing, planWound, siteSaid, woundsOf, type GroupWounds } from '../resources/wound.mapper.js';
import { lookUp } from '../../../../standards/hl7v2/er7/table-lookup.js';

type Content = NonNullable<DocumentReference['content']>[number];

/** Table 0271, as far as FHIR has terms for it. */
const COMPLETION: Readonly<Record<string, DocumentReference['docStatus']>> = {
  AU: 'final',
  LA: 'final',
  DO: 'preliminary',
  DI: 'preliminary',
  IN: 'preliminary',
  IP: 'preliminary',
  PA: 'preliminary',
};
/** Table 0273. */
const AVAILABILITY: Readonly<Record<string, DocumentReference['status']>> = {
  AV: 'current',
  CA: 'entered-in-error',
  OB: 'superseded',
};
/** Events whose document relates to the one in TXA-13, and the relation. */
const RELATION: Readonly<Record<string, 'appends' | 'replaces'>> = { T06: 'appends', T10: 'replaces' };

interface DocumentContext {
  readonly txa: Er7Segment;
  readonly number: SystemValue;
  readonly section: PatientSection;
  readonly group: OrderGroup;
  readonly patient: PlannedPatient;
  readonly encounter: PlannedResource | null;
  readonly wounds: GroupWounds;
}

/** MDM^T02, T04, T06, T08, T10: plans the document, and a Media for each photo in it. */
export async function planDocumentMessage(reading: Reading): Promise<void> {
  const { message, draft } = reading;
  const [section] = sectionsOf(message);
  const patient = await planPatient(reading, section?.pid ?? null, 'name');
  const txa = message.segment('TXA');
  if (txa === null)
    draft.refuse('segment.missing', { segment: 'TXA', sequence: 1 }, 'A document message has a TXA segment.');
  const number = txa === null ? null : documentNumber(reading, txa);
  const group = wholeGroup(section);
  if (group.rows.length === 0)
    draft.refuse('segment.missing', { segment: 'OBX', sequence: 1 }, 'A document with content has OBX segments.');
  const rows = sortRows(
    reading,
    group.rows.filter(({ obx }) => !isText(reading, obx)),
  );
  const wounds = woundsOf(reading, group, rows);
  const other = secondOrderOf(reading, section);
  if (other !== null && hasPhotos(rows))
    draft.refuse('segment.repeated', placeIn(other), 'A photo belongs to one order. Send a document for each order.');
  const photo = rows.find((row) => row.kind === 'file' && row.attachments.some(({ kind }) => kind === 'image'));
  if (photo !== undefined && isWoundNumberMissing(reading, wounds, photo.obx)) return;
  if (section === undefined || patient === null || txa === null || number === null || draft.isRefused) return;
  const replaced = relationOf(reading) === 'replaces' ? parentNumber(reading, txa) : null;
  if (await isDocumentLeft(reading, txa, number, replaced)) return;
  const encounter = await planEncounter(reading, section.pv1, patient, 'name');
  await planWhole(reading, { txa, number, section, group, patient, encounter, wounds }, rows);
}

async function planWhole(reading: Reading, context: DocumentContext, rows: readonly SortedRow[]): Promise<void> {
  const { draft, records, source, earlier } = reading;
  const { group, number, txa } = context;
  const order = await orderOf(reading, context, rows);
  if (draft.isRefused) return;
  const photos: PlannedResource[] = [];
  const [existing] = await records.findByIdentifier<DocumentReference>(source, 'DocumentReference', [number]);
  const isTaken = earlier?.kind === 'taken';
  const texts = isTaken ? [] : group.rows.filter(({ obx }) => isText(reading, obx));
  const content: Content[] = await textContent(reading, texts, existing !== undefined);
  for (const row of rows) {
    if (row.kind !== 'file') continue;
    const facts = context.wounds.factsFor(row.subject);
    const wound = await planWound(reading, facts, context.patient);
    const file: FileContext = {
      ...context,
      order,
      numbers: numbersOfDocument(reading, context),
      wound,
      site: siteSaid(facts),
      takenAt: observedAt(reading, row, timeOf(reading, txa, 4)?.dateTime ?? timeOf(reading, txa, 6)?.dateTime),
      region: null,
    };
    for (const attachment of row.attachments)
      if (!isTaken || attachment.kind === 'image')
        content.push(await contentOf(reading, row, attachment, file, photos));
  }
  if (isTaken) return answerFor(reading, context, order, photos);
  if (content.length === 0)
    return void draft.refuse(
      'segment.missing',
      { segment: 'OBX', sequence: 1 },
      'A document with content has OBX segments with text or files.',
    );
  const document = await documentOf(reading, context, content, photos);
  // One document per number: an edit replaces its content.
  if (existing === undefined) draft.create(document, placeIn(txa), criteriaOf([number]));
  else draft.change({ ...existing, ...document }, placeIn(txa));
  answerFor(reading, context, order, photos);
}

function answerFor(
  reading: Reading,
  context: DocumentContext,
  order: PlannedResource | null,
  photos: readonly PlannedResource[],
): void {
  if (photos.length > 0)
    reading.draft.order({
      action: { control: 'RE', kind: 'none' },
      received: receivedOrderOf(reading, context.section, context.group, numbersOfDocument(reading, context).placer),
      entry: order?.entry ?? null,
    });
}

/** The bytes of a file go into a Binary, which the document and the photo refer to. */
async function contentOf(
  reading: Reading,
  row: FileRow,
  attachment: RowAttachment,
  file: FileContext,
  photos: PlannedResource[],
): Promise<Content> {
  const { content, place, contentType } = attachment;
  const addressOf = (): string =>
    'url' in content
      ? content.url
      : reading.draft.create(
          { resourceType: 'Binary', contentType: contentType ?? 'image/jpeg', data: content.bytes.toString('base64') },
          place,
        ).reference;
  let url: string | undefined;
  if (attachment.kind === 'image') {
    const photo = await oncePerOrder(reading, file, attachment, () =>
      planPhoto(reading, row, attachment, file, (url = addressOf())),
    );
    photos.push(photo);
    // An existing photo has its bytes in a Binary of its own id.
    if (photo.reference.startsWith('Media/')) url ??= photo.reference.replace('Media/', 'Binary/');
  }
  return { attachment: { ...(contentType === undefined ? {} : { contentType }), url: url ?? addressOf() } };
}

async function documentOf(
  reading: Reading,
  context: DocumentContext,
  content: Content[],
  photos: readonly PlannedResource[],
): Promise<DocumentReference> {
  const { txa, number, patient, encounter } = context;
  // R4's `date` is a moment: a day alone is none.
  const written = [6, 4].map((field) => timeOf(reading, txa, field)).find((time) => (time?.instant ?? null) !== null);
  const author = practitionerOf(reading, txa.field(9).repetitions[0]);
  const status = txa.field(19).text.trim().toUpperCase();
  const completion = txa.field(17).text.trim().toUpperCase();
  const type = conceptOf(reading, txa.field(2).repetitions[0]);
  return {
    resourceType: 'DocumentReference',
    ...definedOnly<DocumentReference>({
      masterIdentifier: { ...(number.system === '' ? {} : { system: number.system }), value: number.value },
      docStatus: lookUp(COMPLETION, completion),
      type:
        type?.coding?.[0] !== undefined && type.coding[0].system === undefined
          ? {
              ...type,
              coding: [
                { system: 'http://terminology.hl7.org/CodeSystem/v2-0270', ...type.coding[0] },
                ...type.coding.slice(1),
              ],
            }
          : type,
      date: written?.dateTime,
      author: author === undefined ? undefined : [author as Reference<never>],
      relatesTo: await relationsOf(reading, txa, number),
      description: plain(txa.field(25).text),
    }),
    status: lookUp(AVAILABILITY, status) ?? 'current',
    subject: referenceTo(patient),
    content,
    ...(encounter === null && photos.length === 0
      ? {}
      : {
          context: {
            ...(encounter === null ? {} : { encounter: [referenceTo(encounter)] }),
            ...(photos.length === 0 ? {} : { related: photos.map(referenceTo) }),
          },
        }),
  };
}

function relationOf({ header }: Reading): 'appends' | 'replaces' | undefined {
  return lookUp(RELATION, header.triggerEvent);
}

/** TXA-13: the document that this one appends to or replaces; a replaced one becomes superseded. */
async function relationsOf(
  reading: Reading,
  txa: Er7Segment,
  number: SystemValue,
): Promise<DocumentReference['relatesTo']> {
  const { records, source, draft } = reading;
  const code = relationOf(reading);
  const parent = code === undefined ? null : parentNumber(reading, txa);
  if (code === undefined || parent === null || keyOf(parent) === keyOf(number)) return undefined;
  const [document] = await records.findByIdentifier<DocumentReference>(source, 'DocumentReference', [parent]);
  if (document === undefined)
    return (
      draft.warn(
        'document.unknown',
        placeIn(txa, 13),
        'The parent document is not known. The document was kept without it.',
      ) ?? undefined
    );
  if (code === 'replaces' && document.status === 'current')
    draft.change({ ...document, status: 'superseded' }, placeIn(txa, 13));
  return [{ code, target: { reference: `DocumentReference/${document.id}` } }];
}

/** The order with the placer's number, or a new one for photos that the source wants analysed. */
async function orderOf(
  reading: Reading,
  context: DocumentContext,
  rows: readonly SortedRow[],
): Promise<PlannedResource | null> {
  const { source, draft, earlier } = reading;
  const { patient, txa, section, group, encounter, wounds } = context;
  const numbers = numbersOfDocument(reading, context);
  const { placer } = numbers;
  const existing = await findOrder(reading, numbers, patient);
  if (existing !== null) {
    if (existing.subject?.reference !== patient.reference) return draft.refuse('order.other_patient', placeIn(txa, 14));
    if (hasPhotos(rows) && !isOpen(existing)) draft.warn('order.ended', placeIn(txa, 14));
    return { reference: `ServiceRequest/${existing.id}`, entry: null };
  }
  if (!source.autoAnalyze || !hasPhotos(rows)) return null;
  const filed = earlier === null ? null : await orderOfFiledPhotos(reading, patient, rows, numbers);
  if (filed !== null) return filed === 'asked' ? null : { reference: `ServiceRequest/${filed.id}`, entry: null };
  const wound = wounds.only === null ? null : await planWound(reading, wounds.only, patient);
  const about = { patient, encounter, wound, site: siteSaid(wounds.only) };
  const request = serviceRequestOf(reading, group, placer, { ...about, place: placeOf(section.pv1) });
  return draft.create(begunOrder(request), placeIn(txa), placer === null ? undefined : criteriaOf([placer]));
}

/** TXA-14 where ORC and OBR have no placer's number. */
function numbersOfDocument(reading: Reading, { txa, group }: DocumentContext): OrderNumbers {
  const numbers = orderNumbersOf(reading, group);
  return { ...numbers, placer: numbers.placer ?? numberOf(reading, txa, 14) };
}

/** Bytes inside a resource are possible in its first version only; later versions have them in a Binary. */
async function textContent({ draft }: Reading, rows: readonly ObservationRow[], isKnown: boolean): Promise<Content[]> {
  const sent = rows.flatMap(({ obx }) => obx.field(5).repetitions.map((repetition) => repetition.text(1))).join('\n');
  const text = await inTurns(keeping(sent));
  if (text.trim() === '') return [];
  const contentType = 'text/plain; charset=utf-8';
  const data = Buffer.from(text).toString('base64');
  if (!isKnown) return [{ attachment: { contentType, data } }];
  return [
    {
      attachment: {
        contentType,
        url: draft.create({ resourceType: 'Binary', contentType, data }, placeIn(rows[0]!.obx, 5)).reference,
      },
    },
  ];
}
