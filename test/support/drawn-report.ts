import sharp from 'sharp';
import { artifactKey } from '../../src/core/analysis/artifact.service.js';
import type { JobRepository } from '../../src/core/analysis/job.repository.js';
import type { AssessmentFindings } from '../../src/core/followup/assessment.js';
import { imageFolder } from '../../src/core/images/image.js';
import type { ObjectStore } from '../../src/core/images/object-store.js';
import type { TenantTransaction, UnitOfWork } from '../../src/core/ports/unit-of-work.js';
import type { ReportPictures, ReportReading } from '../../src/core/report/clinical-report.js';
import { ReportPictureReader } from '../../src/core/report/report-pictures.js';
import type { ReportRepository } from '../../src/core/report/report.repository.js';
import type { Tenant } from '../../src/core/tenancy/tenant.js';
import { SharpPictureRenderer } from '../../src/inference/imaging/sharp-picture.renderer.js';
import { drawTissuePicture } from '../../src/inference/imaging/tissue-picture.js';
import { ConcurrencyLimit } from '../../src/platform/turns/concurrency-limit.js';
import { MemoryStore } from './memory-store.js';
import { findingsWithArea, readingOf, reportsOf } from './sample-report.js';
import { drawWoundPhoto, WOUND_SHARE } from './wound-photo.js';

/** A photo as telephones take it: 12 megapixels, the wound in its middle. */
const PHOTO = { widthPx: 4000, heightPx: 3000 };
const MM_PER_PIXEL = 0.05;
const POINTS = 120;
const GRAIN_PX = 4;
const GRAIN_LEVELS = 120;

/** The report of the last of these weeks, with all its pictures, drawn as the service draws them from photos of 12 megapixels. */
export async function drawReport(
  areasCm2: readonly number[],
): Promise<{ readonly reading: ReportReading; readonly pictures: ReportPictures }> {
  const reports = reportsOf({ weeks: areasCm2.map(findingsOnPhoto) });
  const current = reports.at(-1)!;
  const store = new MemoryStore();
  for (const [index, { imageId }] of reports.entries())
    await store.put(`${imageFolder(imageId)}original`, await drawDetailedPhoto(index + 1));
  await store.put(artifactKey({ id: current.jobId, imageId: current.imageId }, 'tissue'), await drawTissue());
  const transaction = {} as TenantTransaction;
  const pictures = new ReportPictureReader({
    unitOfWork: {
      inTenant: <T>(_: Tenant, work: (transaction: TenantTransaction) => Promise<T>) => work(transaction),
    } as unknown as UnitOfWork,
    jobs: { find: () => Promise.resolve(null) } as unknown as JobRepository,
    reports: {
      find: (_: TenantTransaction, id: string) => {
        const report = reports.find((one) => one.id === id);
        return Promise.resolve(report === undefined ? null : { report, woundId: 'wound' });
      },
    } as unknown as ReportRepository,
    store: store as unknown as ObjectStore,
    renderer: new SharpPictureRenderer(50_000_000, new ConcurrencyLimit(1)),
  });
  return { reading: readingOf(reports), pictures: await pictures.of(current, current) };
}

/** With as much detail as skin has, drawn at the size of its grain: 30 photos of wounds had 0.5 to 1.3 bits a pixel as pictures of documents. */
async function drawDetailedPhoto(seed: number): Promise<Uint8Array> {
  const [width, height] = [PHOTO.widthPx / GRAIN_PX, PHOTO.heightPx / GRAIN_PX];
  let noise = seed;
  const grain = Buffer.from(
    Uint8Array.from({ length: width * height }, () => {
      noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) >>> 0;
      return 128 - GRAIN_LEVELS / 2 + ((noise >>> 16) % GRAIN_LEVELS);
    }),
  );
  const texture = await sharp(grain, { raw: { width, height, channels: 1 } })
    .toColourspace('srgb')
    .png({ compressionLevel: 0 })
    .toBuffer();
  const small = await sharp(await drawWoundPhoto({ seed, width, height, format: 'png' }))
    .composite([{ input: texture, blend: 'soft-light' }])
    .png({ compressionLevel: 0 })
    .toBuffer();
  return sharp(small).resize(PHOTO.widthPx, PHOTO.heightPx).jpeg({ quality: 92 }).toBuffer();
}

function findingsOnPhoto(areaCm2: number): AssessmentFindings {
  const [centreX, centreY] = [PHOTO.widthPx / 2, PHOTO.heightPx / 2];
  const [reachX, reachY] = [(PHOTO.widthPx * WOUND_SHARE.width) / 2, (PHOTO.heightPx * WOUND_SHARE.height) / 2];
  const ring = Array.from({ length: POINTS + 1 }, (_, point): [number, number] => {
    const angle = (2 * Math.PI * (point % POINTS)) / POINTS;
    return [centreX + reachX * Math.cos(angle), centreY + reachY * Math.sin(angle)];
  });
  const { scale } = findingsWithArea(areaCm2);
  return findingsWithArea(areaCm2, {
    photo: PHOTO,
    outlines: [{ type: 'Polygon', coordinates: [ring] }],
    scale: { ...scale, mmPerPixel: MM_PER_PIXEL, pixelToMm: [MM_PER_PIXEL, 0, 0, 0, MM_PER_PIXEL, 0, 0, 0, 1] },
  });
}

/** Tissues in stripes over the wound. */
async function drawTissue(): Promise<Uint8Array> {
  const [width, height] = [PHOTO.widthPx / 4, PHOTO.heightPx / 4];
  const numbers = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [(at % width) / width - 0.5, Math.floor(at / width) / height - 0.5];
    const isWound = (x / WOUND_SHARE.width) ** 2 + (y / WOUND_SHARE.height) ** 2 < 0.25;
    return isWound ? 1 + (Math.floor((x + 0.5) * 20) % 3) : 0;
  });
  return (await drawTissuePicture({ numbers, width, height })).bytes;
}
