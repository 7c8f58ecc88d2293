import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AuditSigner, type AuditSignature } from '../../core/audit/audit-signer.js';
import { Settings, SettingsError } from '../../platform/config/settings.js';

/** In the data folder, made at the first need. */
export const AUDIT_KEY_FILE = 'audit-signing.key';
export const AUDIT_PUBLIC_KEY_FILE = 'audit-signing.pub';
const OWNER_ONLY = 0o600;
const FOR_ALL = 0o644;
const PEM = /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/g;
const KEY_ID_DIGITS = 16;

interface Keys {
  readonly present: KeyObject;
  readonly public: ReadonlyMap<string, KeyObject>;
  readonly keyId: string;
}

/** Ed25519 keys in a file: the one of SUTURA_AUDIT_KEY_FILE, or one that is made in the data folder. Several in the file: the first signs, the others verify. */
@Injectable()
export class FileAuditSigner extends AuditSigner {
  private keys: Promise<Keys> | undefined;

  constructor(private readonly settings: Settings) {
    super();
  }

  async sign(text: string): Promise<AuditSignature> {
    const { present, keyId } = await this.read();
    return { keyId, signature: sign(null, Buffer.from(text), present).toString('base64') };
  }

  async isSigned(text: string, { keyId, signature }: AuditSignature): Promise<boolean> {
    const key = (await this.read()).public.get(keyId);
    return key !== undefined && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  }

  async publicKey(): Promise<string> {
    return pemOf(createPublicKey((await this.read()).present));
  }

  private read(): Promise<Keys> {
    return (this.keys ??= this.load().catch((fault: unknown) => {
      this.keys = undefined;
      throw fault;
    }));
  }

  private async load(): Promise<Keys> {
    const { keyFile } = this.settings.audit;
    const text = keyFile === undefined ? await this.ownKey() : await readFile(keyFile, 'utf8').catch(() => '');
    const keys = (text.match(PEM) ?? []).map((pem) => createPrivateKey(pem));
    const [present] = keys;
    if (present === undefined || keys.some(({ asymmetricKeyType }) => asymmetricKeyType !== 'ed25519'))
      throw new SettingsError(
        `${keyFile === undefined ? AUDIT_KEY_FILE : 'SUTURA_AUDIT_KEY_FILE'} has no Ed25519 private key in PEM. Make one with: openssl genpkey -algorithm ed25519`,
      );
    const known = keys.map((key) => createPublicKey(key)).map((key) => [keyIdOf(key), key] as const);
    return { present, public: new Map(known), keyId: known[0]![0] };
  }

  private async ownKey(): Promise<string> {
    const { dataDir } = this.settings.process;
    const path = join(dataDir, AUDIT_KEY_FILE);
    const known = await readFile(path, 'utf8').catch(() => null);
    if (known !== null) return known;
    await mkdir(dataDir, { recursive: true });
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    // Another process may be quicker; its key then counts.
    await writeFile(path, pem, { mode: OWNER_ONLY, flag: 'wx' }).catch(() => undefined);
    const kept = await readFile(path, 'utf8');
    await writeFile(join(dataDir, AUDIT_PUBLIC_KEY_FILE), pemOf(createPublicKey(createPrivateKey(kept))), {
      mode: FOR_ALL,
    });
    return kept;
  }
}

/** As AuditSignature has it. */
export function keyIdOf(publicKey: KeyObject): string {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex').slice(0, KEY_ID_DIGITS);
}

function pemOf(publicKey: KeyObject): string {
  return publicKey.export({ type: 'spki', format: 'pem' }).toString();
}
