import { OperatorTrail } from '../core/audit/operator-trail.js';
import type { CliCommand, CliReport } from '../platform/cli/cli-command.js';
import { required } from '../platform/cli/command-options.js';
import { factReport } from '../platform/cli/command-report.js';
import { SettingsError } from '../platform/config/settings.js';
import { InstallationKey } from '../platform/database/installation-key.js';
import { EncryptionKeys } from '../platform/encryption/encryption-keys.js';
import { newKey, type KeyFile } from '../platform/encryption/key-file.js';
import type { EncryptionKey, KeyRing } from '../platform/encryption/key-ring.js';
import { BlobFolder } from '../storage/drivers/blob-folder.js';
import { bringToKey, readKeyUsage, type KeyUsage } from '../storage/drivers/key-change.js';
import { StorageModule } from '../storage/drivers/storage.module.js';
import type { CommandSession } from './command-session.js';

interface Services {
  readonly keys: EncryptionKeys;
  readonly installation: InstallationKey;
  readonly blobs: BlobFolder;
  readonly record: (interaction: string, query: string) => Promise<void>;
}

const status = command(
  'encryption status',
  'Say which keys there are, and how many objects need each. Reads the header of every object.',
  async (services) => {
    const { ring } = await openRing(services.keys);
    const use = await readKeyUsage(services.blobs);
    return describeStatus(ring, use, await services.installation.wrappedBy());
  },
);

const rotate = command(
  'encryption rotate',
  'Put a new key at the head of the key file and bring everything to it. Gateways may run: they read the file again by themselves.',
  async (services) => {
    const file = fileOf(services.keys);
    await openRing(services.keys);
    const key = newKey(new Date());
    await services.record('$encryption-rotate', `to ${key.id}`);
    await file.add(key);
    return bringAll(services, key);
  },
);

const rewrap = command(
  'encryption rewrap',
  'Bring everything to the first key of the key file: after a rotation that was interrupted, or after you wrote a key there. Plain objects from before are encrypted.',
  async (services) => {
    const { current } = await openRing(services.keys);
    await services.record('$encryption-rewrap', `to ${current.id}`);
    return bringAll(services, current);
  },
);

const retire: CliCommand<CommandSession> = {
  usage: 'encryption retire --key ID',
  summary:
    'Take a key out of the key file. Refused while anything needs it. Back-ups that name it can then be read with your copy of the file alone.',
  prepare(values) {
    const id = required(values, 'key');
    return async (session) => {
      const services = await openServices(session);
      const file = fileOf(services.keys);
      await refuseUsed(services, id);
      await services.record('$encryption-retire', id);
      await file.remove(id);
      return { json: { id, retired: true }, text: `The key ${id} is no longer in ${file.path}.` };
    };
  },
};

/** Keys of encryption at rest. */
export const ENCRYPTION_COMMANDS: readonly CliCommand<CommandSession>[] = [status, rotate, rewrap, retire];

function command(
  usage: string,
  summary: string,
  run: (services: Services) => Promise<CliReport>,
): CliCommand<CommandSession> {
  return { usage, summary, prepare: () => async (session) => run(await openServices(session)) };
}

async function openServices(session: CommandSession): Promise<Services> {
  const app = await session.start([StorageModule]);
  const trail = app.get(OperatorTrail, { strict: false });
  return {
    keys: app.get(EncryptionKeys, { strict: false }),
    installation: app.get(InstallationKey, { strict: false }),
    blobs: app.get(BlobFolder, { strict: false }),
    record: (interaction, query) => trail.record(session.operator, { interaction, action: 'E', resources: [], query }),
  };
}

interface OpenRing {
  readonly ring: KeyRing;
  readonly current: EncryptionKey;
}

async function openRing(keys: EncryptionKeys): Promise<OpenRing> {
  const ring = await keys.reread();
  const { current } = ring;
  if (current === null)
    throw new SettingsError(
      `There is no key file${keys.file === null ? '' : ` ${keys.file.path}`}. With the embedded database the first start makes one in the data folder; else SUTURA_ENCRYPTION_KEY_FILE must name the one that there is: docs/encryption.md`,
    );
  return { ring, current };
}

/** What a command prints is not ours to write. */
function fileOf({ file }: EncryptionKeys): KeyFile {
  if (file === null)
    throw new SettingsError(
      'The keys come from SUTURA_ENCRYPTION_KEY_COMMAND. Nothing was changed. Make the change where the command has them from; after a new first key run "encryption rewrap".',
    );
  return file;
}

async function bringAll({ keys, installation, blobs }: Services, key: EncryptionKey): Promise<CliReport> {
  await keys.reread();
  await installation.rewrap(key);
  const change = await bringToKey(blobs, keys, key);
  const { rewrapped, encrypted, current, failed } = change;
  const report = factReport(
    { key: key.id, ...change },
    {
      'current key': key.id,
      'objects rewrapped': String(rewrapped),
      'plain objects encrypted': String(encrypted),
      'had it already': String(current),
      'not readable': [String(failed.length), ...failed].join(' '),
      ...(keys.file === null ? {} : { 'now copy': keys.file.path }),
    },
  );
  return { ...report, failed: failed.length > 0 };
}

async function refuseUsed({ keys, installation, blobs }: Services, id: string): Promise<OpenRing> {
  const open = await openRing(keys);
  if (!open.ring.keys.some((key) => key.id === id)) throw new SettingsError(`The key file has no key ${id}.`);
  if (open.current.id === id)
    throw new SettingsError(`${id} is the first key, which encrypts. Run "encryption rotate" first.`);
  const objects = (await readKeyUsage(blobs)).byKey[id] ?? 0;
  const isOfMessages = (await installation.wrappedBy()) === id;
  if (objects > 0 || isOfMessages)
    throw new SettingsError(
      `The key ${id} is still needed: by ${objects} objects${isOfMessages ? ' and by the HL7 messages' : ''}. Nothing was changed. Run "encryption rewrap", then retire it.`,
    );
  return open;
}

function describeStatus(ring: KeyRing, use: KeyUsage, messages: string | null): CliReport {
  const known = ring.keys.map(({ id }) => id);
  const missing = Object.keys(use.byKey).filter((id) => !known.includes(id));
  const keys = [...known, ...missing].map((id, place) => ({
    id,
    state: place === 0 ? 'current' : known.includes(id) ? 'kept' : 'missing',
    objects: use.byKey[id] ?? 0,
    messages: messages === id,
  }));
  const lines = keys.map(({ id, state, objects, messages: wraps }): [string, string] => [
    id,
    `${state}, ${objects} objects${wraps ? ', HL7 messages' : ''}`,
  ]);
  const report = factReport(
    { keys, plain: use.plain, altered: use.altered },
    {
      ...Object.fromEntries(lines),
      'not encrypted': `${use.plain} objects`,
      altered: [String(use.altered.length), ...use.altered].join(' '),
    },
  );
  return { ...report, failed: missing.length + use.altered.length > 0 };
}
