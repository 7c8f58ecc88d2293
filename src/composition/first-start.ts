import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Organization } from '../core/organizations/organization.js';
import type { TenancyService } from '../core/organizations/tenancy.service.js';
import { SCOPES } from '../core/tenancy/api-key.js';
import type { Settings } from '../platform/config/settings.js';

/** In the data folder. */
export const DEMO_KEY_FILE = 'demo-key';
const DEMO_ORGANIZATION = 'Demo clinic';

/**
 * Makes the demo organization with a test key if the embedded database has none yet. The key is kept in `<data
 * folder>/demo-key`, readable by the owner alone, so that `npm run demo` finds it. A start that ended before it had made the key is gone on with.
 * null after the first start.
 */
export async function prepareFirstStart(settings: Settings, tenancy: TenancyService): Promise<string | null> {
  const begun = await findDemoOrganization(tenancy);
  if (begun !== null && (await tenancy.listKeys(begun.id)).length > 0) return null;
  const organization = begun ?? (await tenancy.createOrganization(DEMO_ORGANIZATION, 'pro'));
  const { text } = await tenancy.createKey({
    organizationId: organization.id,
    environment: 'test',
    scopes: SCOPES,
    expiresAt: null,
  });
  const file = demoKeyFile(settings);
  // The demo may read it at any moment: it finds the whole key, or none.
  const draft = `${file}.new`;
  await writeFile(draft, `${text}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
  return text;
}

export function demoKeyFile(settings: Settings): string {
  return join(settings.process.dataDir, DEMO_KEY_FILE);
}

/** null if somebody renamed it. */
export async function findDemoOrganization(tenancy: TenancyService): Promise<Organization | null> {
  return (await tenancy.listOrganizations()).find(({ name }) => name === DEMO_ORGANIZATION) ?? null;
}

/** A first analysis by curl, ready to paste. `node -p` reads the JSON, so that nothing else has to be installed. */
export function walkThrough(baseUrl: string, key: string): string {
  const field = (name: string, json: string) => `$(node -p 'JSON.parse(process.argv[1]).${name}' "$${json}")`;
  return `
Sutura listens on ${baseUrl}  (API reference: ${baseUrl}/api-docs)
A demo organization was made. Its test key is shown this once, and kept in the data folder as demo-key.

Your first analysis, ready to paste (set PHOTO to a JPEG, PNG or WebP of a wound):

  KEY=${key}
  PHOTO=photo.jpg
  TICKET=$(curl -s -X POST ${baseUrl}/api/v1/images/upload-url -H "Authorization: Bearer $KEY")
  curl -s -X PUT --data-binary @"$PHOTO" "${field('uploadUrl', 'TICKET')}"
  JOB=$(curl -s -X POST ${baseUrl}/api/v1/analysis/jobs -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d "{\\"imageId\\":\\"${field('imageId', 'TICKET')}\\",\\"calibration\\":{\\"mmPerPixel\\":0.2}}")
  JOB_ID=${field('id', 'JOB')}
  curl -s -H "Authorization: Bearer $KEY" -H 'Prefer: wait=30' ${baseUrl}/api/v1/analysis/jobs/$JOB_ID
  curl -s -o overlay.jpg -H "Authorization: Bearer $KEY" ${baseUrl}/api/v1/analysis/jobs/$JOB_ID/artifacts/overlay

Or in one go:  npm run demo -- photo.jpg
`;
}
