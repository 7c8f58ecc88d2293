import { z } from 'zod';
import type { BackupManifest } from '../backup/backup-manifest.js';
import { BackupRefusal } from '../backup/backup-refusal.js';
import { rewindObjects, type ObjectRewind } from '../backup/rewind-objects.js';
import { compareObjects, withConnection, type ObjectComparison } from '../backup/stored-objects.js';
import { OperatorTrail } from '../core/audit/operator-trail.js';
import { ObjectStore } from '../core/images/object-store.js';
import { CliMisuse, type CliCommand, type CliReport } from '../platform/cli/cli-command.js';
import { required } from '../platform/cli/command-options.js';
import { factReport } from '../platform/cli/command-report.js';
import { StorageModule } from '../storage/drivers/storage.module.js';
import type { CommandSession } from './command-session.js';

const verify: CliCommand<CommandSession> = {
  usage: 'objects verify',
  summary:
    'Read every photo, picture and document that the database names from the store, and compare it with its digest. After a way back, or whenever the store is in doubt.',
  prepare: () => async (session) => {
    const app = await session.start([StorageModule]);
    const store = app.get(ObjectStore, { strict: false });
    return describeComparison(await compareObjects(session.databaseUrl, store));
  },
};

const rewind: CliCommand<CommandSession> = {
  usage: 'objects rewind --to TIME [--dry-run]',
  summary:
    'Bring the objects that the database names to their versions of a moment, where a bucket with versions lost or overwrote them since. After the database came back to that moment. Nothing is removed from the bucket. --dry-run: only say which.',
  prepare(values) {
    const moment = readMoment(required(values, 'to'));
    const isTrial = values['dry-run'] === true;
    return async (session) => {
      const { storage, s3 } = session.settings;
      if (storage.driver !== 's3')
        throw new BackupRefusal(
          'Photos lie in a folder of this machine, which keeps no earlier versions. Nothing was changed. Bring them back with npm run restore: see docs/coming-back.md.',
        );
      const app = await session.start([]);
      const { connectS3, encryptionOf } = await import('../storage/drivers/s3.store.js');
      const { S3Versions } = await import('../storage/drivers/s3-versions.js');
      const versions = new S3Versions(connectS3(s3), s3.bucket ?? '', encryptionOf(s3));
      if (!isTrial) {
        const trail = app.get(OperatorTrail, { strict: false });
        const query = `to ${moment.toISOString()}`;
        await trail.record(session.operator, { interaction: '$rewind', action: 'E', resources: [], query });
      }
      const found = await withConnection(session.databaseUrl, (client) =>
        rewindObjects(client, versions, moment, isTrial),
      );
      return describeRewind(found, isTrial);
    };
  },
};

/** The objects of the store beside what the database names. */
export const OBJECT_COMMANDS: readonly CliCommand<CommandSession>[] = [verify, rewind];

/** RFC 3339, or as PostgreSQL writes it: `2026-11-23 11:42:00+00`. */
function readMoment(text: string): Date {
  const moment = text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
  if (!z.iso.datetime({ offset: true }).safeParse(moment).success)
    throw new CliMisuse('--to needs a moment with its zone, such as 2026-11-23T11:42:00Z.');
  return new Date(moment);
}

function describeComparison(comparison: ObjectComparison): CliReport {
  const report = factReport(comparison, { objects: String(comparison.named), ...describeFaults(comparison) });
  return { ...report, failed: hasFaults(comparison) };
}

function describeRewind(rewound: ObjectRewind, isTrial: boolean): CliReport {
  const { named, broughtBack, notFound } = rewound;
  const report = factReport(rewound, {
    objects: String(named),
    [isTrial ? 'would be brought back' : 'brought back']: [String(broughtBack.length), ...broughtBack].join(' '),
    'without a version of that moment': [String(notFound.length), ...notFound].join(' '),
  });
  return { ...report, failed: notFound.length > 0 };
}

type Faults = Pick<BackupManifest['objects'], 'missing' | 'changed' | 'keyMissing' | 'notCompared'>;

export const hasFaults = ({ missing, changed, keyMissing = [] }: Faults): boolean =>
  missing.length + changed.length + keyMissing.length > 0;

export function describeFaults({ missing, changed, keyMissing = [], notCompared = 0 }: Faults): Record<string, string> {
  return {
    'objects missing': [String(missing.length), ...missing].join(' '),
    'objects changed': [String(changed.length), ...changed].join(' '),
    ...(keyMissing.length === 0
      ? {}
      : { 'objects whose encryption key is missing here': [String(keyMissing.length), ...keyMissing].join(' ') }),
    ...(notCompared === 0 ? {} : { 'not compared': `${notCompared} objects, stored by a release that kept no digest` }),
  };
}
