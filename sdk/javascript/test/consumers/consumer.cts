// The package from a CommonJS project in TypeScript, and without any types of the platform. Compiled, never run.
import sdk = require('@sutura/sdk');

export async function main(): Promise<number | undefined> {
  const client: sdk.SuturaClient = new sdk.SuturaClient({ baseUrl: 'http://gateway' });
  const job = await client.analyzeImageAndWait({ file: new Uint8Array(3), calibration: { mmPerPixel: 0.2 } });
  return job.result.wounds[0]?.area.cm2?.value;
}
