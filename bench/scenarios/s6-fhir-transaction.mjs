import sharp from 'sharp';
import { compareFhir } from '../lib/fhir-sides.mjs';

const SHARE_OF_PEER = 1.5;
const SHARE_OF_FLOOR = 0.8;
export const PHOTO_BYTES = 200 * 1024;

/** A transaction with a photo: the photo is decoded, judged and stored as a file, everything else validated, kept and indexed. */
export const s6 = {
  id: 's6',
  name: 'transaction with a photo',
  unit: 'transactions/s',
  goal: `at least ${SHARE_OF_FLOOR} of raw http that inserts the Bundle's resources as they are, and ${SHARE_OF_PEER} of Medplum's router where it is installed`,
  async run({ postgres, secs, rounds }) {
    const photo = await drawPhotoOf(PHOTO_BYTES);
    const outcome = await compareFhir({
      postgres,
      secs,
      rounds,
      requestOf: () => ({ path: '', body: transaction(photo) }),
      countStored,
    });
    const passed =
      outcome.ratio >= SHARE_OF_FLOOR && (typeof outcome.peer !== 'object' || outcome.peer.ratio >= SHARE_OF_PEER);
    return { ...outcome, photoKiB: photo.length / 1024, passed };
  },
};

/** The transaction of s6 with this photo. */
export function transaction(photo) {
  const [patient, wound, media] = [1, 2, 3].map((last) => `urn:uuid:00000000-0000-4000-8000-00000000000${last}`);
  const resources = [
    [patient, { resourceType: 'Patient', name: [{ family: 'Example', given: ['Ada'] }], birthDate: '1950-01-01' }],
    [wound, { resourceType: 'BodyStructure', location: { text: 'Left heel' }, patient: { reference: patient } }],
    [
      media,
      {
        resourceType: 'Media',
        extension: [{ url: 'https://sutura.dev/fhir/StructureDefinition/wound', valueReference: { reference: wound } }],
        status: 'completed',
        type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/media-type', code: 'image' }] },
        subject: { reference: patient },
        createdDateTime: '2026-03-15T09:40:00+01:00',
        content: { contentType: 'image/jpeg', data: photo.toString('base64') },
      },
    ],
  ];
  const entry = resources.map(([fullUrl, resource]) => ({
    fullUrl,
    resource,
    request: { method: 'POST', url: resource.resourceType },
  }));
  return { resourceType: 'Bundle', type: 'transaction', entry };
}

/** A JPEG of about this size: skin with a red spot, and grain that grows with the picture until it is heavy enough. */
export async function drawPhotoOf(wantedBytes) {
  for (let width = 320; ; width += 64) {
    const height = Math.round(width * 0.75);
    const grain = {
      create: { width, height, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 9 } },
    };
    const wound = Buffer.from(
      `<svg width="${width}" height="${height}"><ellipse cx="50%" cy="50%" rx="17%" ry="14%" fill="#a8282b"/></svg>`,
    );
    const soft = await sharp(grain).png({ compressionLevel: 1 }).toBuffer();
    const jpeg = await sharp({ create: { width, height, channels: 3, background: '#dcb09a' } })
      .composite([{ input: wound }, { input: soft, blend: 'soft-light' }])
      .jpeg({ quality: 92 })
      .toBuffer();
    if (jpeg.length >= wantedBytes) return jpeg;
  }
}

async function countStored(query) {
  const [{ stored }] = await query(`select count(*)::int as stored from fhir_resources where type = 'Media'`);
  return stored;
}
