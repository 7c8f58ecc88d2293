// node analyse.mjs photo.jpg [mm per pixel], with SUTURA_API_KEY and, where it is not local, SUTURA_BASE_URL in the environment.
// In a project of your own: import { SuturaClient } from '@sutura/sdk'; here it is the build of this checkout ("npm run build:sdk").
import { SuturaClient } from '../dist/index.mjs';

const [file = 'photo.jpg', mmPerPixel] = process.argv.slice(2);
const client = new SuturaClient();
const calibration = mmPerPixel === undefined ? undefined : { mmPerPixel: Number(mmPerPixel) };
const job = await client.analyzeImageAndWait({ file, calibration });
for (const { area, length, width } of job.result.wounds) {
  console.log(
    `area ${area.cm2?.value ?? '?'} cm2, length ${length.cm?.value ?? '?'} cm, width ${width.cm?.value ?? '?'} cm (${area.pixels} pixels)`,
  );
}
if (!job.result.woundDetected) console.log('No wound outlined.');
await client.downloadArtifact({ jobId: job.id, artifact: 'overlay', path: 'overlay.jpg' });
