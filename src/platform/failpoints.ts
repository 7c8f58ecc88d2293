import { setTimeout as delay } from 'node:timers/promises';

/**
 * The places where a fault test can strike. Active only with NODE_ENV=test and SUTURA_FP="name:action[:n]", several
 * joined by commas.
 */
type FailpointName =
  | 'before_commit_create'
  | 'after_commit_create'
  | 'after_claim'
  | 'before_finish'
  | 'after_commit_finish'
  | 'blob_write'
  | 'backup_copy'
  | 'restore_copy'
  | 'encryption_rewrap'
  | 'database_statement'
  | 'audit_insert'
  | 'child_decode'
  | 'during_migration'
  | 'outbox_handed_over'
  | 'outbox_before_handled'
  | 'webhook_in_handle'
  | 'webhook_after_handle'
  | 'subscription_in_handle'
  | 'subscription_after_handle'
  | 'delivery_taken'
  | 'delivery_answered'
  | 'delivery_written'
  | 'erase_rows'
  | 'erase_rows_gone'
  | 'erase_bytes_gone'
  | 'sweep_counted'
  | 'export_part_put'
  | 'export_part_kept'
  | 'audit_archive_begun'
  | 'audit_archive_put'
  | 'audit_archive_kept'
  | 'audit_archive_dropping'
  | 'hl7_before_insert'
  | 'hl7_after_insert'
  | 'hl7_before_apply'
  | 'hl7_in_apply'
  | 'hl7_after_apply'
  | 'hl7_before_ack';

type Action = 'kill' | 'throw' | 'sleep' | 'segv' | 'hang' | 'allocate' | 'enospc' | 'diskfull';

interface Armed {
  readonly action: Action;
  /** Strikes at the n-th pass and after; 0: at every pass. */
  readonly after: number;
  passes: number;
}

const armed = readArmed(process.env['NODE_ENV'] === 'test' ? process.env['SUTURA_FP'] : undefined);

function readArmed(text: string | undefined): Map<string, Armed> {
  const entries = (text ?? '').split(',').filter((part) => part !== '');
  return new Map(
    entries.map((part) => {
      const [name = '', action = 'throw', after = '0'] = part.split(':');
      return [name, { action: action as Action, after: Number(after), passes: 0 }];
    }),
  );
}

/**
 * Does nothing in production. With `bytes` and the variable SUTURA_FP_MARKER it strikes only bytes that contain the
 * marker, so that one photo fails and those beside it do not.
 */
export async function failpoint(name: FailpointName, bytes?: Uint8Array): Promise<void> {
  const point = armed.get(name);
  if (point === undefined) return;
  const marker = process.env['SUTURA_FP_MARKER'];
  if (
    marker !== undefined &&
    bytes !== undefined &&
    !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(marker)
  )
    return;
  point.passes += 1;
  if (point.passes < point.after) return;
  await strike(name, point.action);
}

async function strike(name: string, action: Action): Promise<void> {
  switch (action) {
    case 'kill':
      process.kill(process.pid, 'SIGKILL');
      return delay(60_000);
    case 'segv':
      process.kill(process.pid, 'SIGSEGV');
      return delay(60_000);
    case 'sleep':
      return delay(Number(process.env['SUTURA_FP_SLEEP_MS'] ?? '2000'));
    case 'hang':
      for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    case 'allocate': {
      const hoard: Buffer[] = [];
      for (;;) {
        hoard.push(Buffer.alloc(64 * 1024 * 1024, 1));
        await delay(5);
      }
    }
    case 'enospc':
      throw Object.assign(new Error(`failpoint ${name}`), { code: 'ENOSPC' });
    case 'diskfull':
      throw Object.assign(new Error(`failpoint ${name}`), { code: '53100' });
    case 'throw':
      throw new Error(`failpoint ${name}`);
  }
}
