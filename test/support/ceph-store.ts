import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { findTool } from '../deployment/tools.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const run = promisify(execFile);
const PROGRAMS = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'monmaptool', 'ceph', 'openssl'] as const;
const FSID = '0b9c6f4e-5b0a-4a8f-9f43-6d5f2f1f7a10';
const KEY = { accessKeyId: 'OFTHISTEST', secretAccessKey: 'secret-of-this-test' } as const;
const REGION = 'us-east-1';

/** True where a Ceph can be started; the output names a program that is missing, with what is not tried `without` it. */
export function findCeph(without: string): boolean {
  return PROGRAMS.every((name) => findTool(name, without) !== undefined);
}

/** A real S3 store with versions: Ceph's RADOS Gateway over a monitor and one daemon in memory, all on 127.0.0.1. */
export class CephStore {
  private readonly daemons: ChildProcess[] = [];

  private constructor(
    private readonly ground: string,
    private readonly port: number,
    private readonly tlsPort: number,
  ) {}

  static async start(): Promise<CephStore> {
    const ground = await mkdtemp(join(tmpdir(), 'sutura-ceph-'));
    const store = new CephStore(ground, await freePort(), await freePort());
    await store.prepare(await freePort());
    await store.serve();
    return store;
  }

  /** Of its owner, who may do everything. */
  get client(): S3Client {
    return new S3Client({ region: REGION, endpoint: this.endpoint, forcePathStyle: true, credentials: KEY });
  }

  /** Makes a bucket; `versioned` keeps what is deleted or overwritten. */
  async createBucket(name: string, versioned: boolean): Promise<void> {
    await this.client.send(new CreateBucketCommand({ Bucket: name }));
    if (!versioned) return;
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await this.client.send(new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration }));
  }

  /** Settings with which a gateway uses a bucket. */
  environment(bucket: string): Record<string, string> {
    return {
      SUTURA_STORAGE: 's3',
      S3_BUCKET: bucket,
      S3_REGION: REGION,
      S3_ENDPOINT: this.endpoint,
      S3_ACCESS_KEY_ID: KEY.accessKeyId,
      S3_SECRET_ACCESS_KEY: KEY.secretAccessKey,
      S3_FORCE_PATH_STYLE: 'true',
    };
  }

  /** Options of pgBackRest, which speaks TLS alone. */
  repository(bucket: string): Record<string, string> {
    return {
      REPO1_TYPE: 's3',
      REPO1_PATH: '/repository',
      REPO1_S3_BUCKET: bucket,
      REPO1_S3_REGION: REGION,
      REPO1_S3_ENDPOINT: 'localhost',
      REPO1_S3_KEY: KEY.accessKeyId,
      REPO1_S3_KEY_SECRET: KEY.secretAccessKey,
      REPO1_S3_URI_STYLE: 'path',
      REPO1_STORAGE_PORT: String(this.tlsPort),
      REPO1_STORAGE_CA_FILE: join(this.ground, 'cert.pem'),
    };
  }

  async stop(): Promise<void> {
    for (const daemon of this.daemons.reverse()) {
      if (daemon.exitCode !== null || daemon.signalCode !== null) continue;
      const ended = once(daemon, 'exit');
      daemon.kill('SIGKILL');
      await ended;
    }
    await rm(this.ground, { recursive: true, force: true, maxRetries: 5 });
  }

  private get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  private async prepare(monitorPort: number): Promise<void> {
    for (const name of ['mon', 'osd', 'rgw']) await mkdir(join(this.ground, name));
    await writeFile(join(this.ground, 'ceph.conf'), this.settings(monitorPort));
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const files = ['-keyout', join(this.ground, 'key.pem'), '-out', join(this.ground, 'cert.pem')];
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files]);
    await run('chmod', ['755', this.ground]);
    const map = join(this.ground, 'monmap');
    const address = `[v2:127.0.0.1:${monitorPort}]`;
    await run('monmaptool', ['--create', '--fsid', FSID, '--addv', 'a', address, map]);
    await run('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map], this.options());
  }

  private async serve(): Promise<void> {
    this.begin('ceph-mon', '-f', '-i', 'a');
    await eventually('the monitor answers', () => this.answers('-s'), 60_000, 200);
    await this.ceph('osd', 'create');
    await run('ceph-osd', ['-i', '0', '--mkfs'], this.options());
    await this.ceph('osd', 'crush', 'add', 'osd.0', '1', 'host=localhost', 'root=default');
    this.begin('ceph-osd', '-f', '-i', '0');
    this.begin('radosgw', '-f', '-n', 'client.rgw');
    await eventually('the gateway of the store answers', () => fetch(this.endpoint).then(isFine, isNot), 120_000, 200);
    const keys = ['--access-key', KEY.accessKeyId, '--secret-key', KEY.secretAccessKey];
    const user = ['--uid', 'sutura', '--display-name', 'Sutura'];
    await run('radosgw-admin', ['-n', 'client.rgw', 'user', 'create', ...user, ...keys], this.options());
  }

  private begin(program: string, ...words: string[]): void {
    const daemon = spawn(program, words, { ...this.options(), stdio: 'ignore' });
    this.daemons.push(daemon);
    process.once('exit', () => daemon.kill('SIGKILL'));
  }

  private async ceph(...words: string[]): Promise<void> {
    await run('ceph', ['--connect-timeout', '20', ...words], this.options());
  }

  private answers(...words: string[]): Promise<boolean> {
    return run('ceph', ['--connect-timeout', '5', ...words], this.options()).then(
      () => true,
      () => false,
    );
  }

  private options(): { readonly cwd: string; readonly env: Record<string, string> } {
    const env = { PATH: process.env['PATH'] ?? '', CEPH_CONF: join(this.ground, 'ceph.conf') };
    return { cwd: this.ground, env };
  }

  /** Nobody else is on 127.0.0.1 of a test: daemons trust each other. Nothing is replicated, and all is in memory. */
  private settings(monitorPort: number): string {
    const { ground } = this;
    return `[global]
fsid = ${FSID}
mon host = v2:127.0.0.1:${monitorPort}
ms bind msgr1 = false
ms mon service mode = crc
ms mon client mode = crc
public network = 127.0.0.0/8
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 1
mon data avail warn = 2
osd objectstore = memstore
memstore device bytes = 1073741824
run dir = ${ground}
admin socket = ${ground}/$name.asok
pid file =
log file = ${ground}/$name.log
mon data = ${ground}/mon
osd data = ${ground}/osd
rgw data = ${ground}/rgw
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${this.port} ssl_endpoint=127.0.0.1:${this.tlsPort} ssl_certificate=${ground}/cert.pem ssl_private_key=${ground}/key.pem
`;
  }
}

const isFine = (answer: Response): boolean => answer.ok;
const isNot = (): boolean => false;
