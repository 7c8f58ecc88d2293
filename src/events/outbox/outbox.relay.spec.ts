import { PassThrough } from 'node:stream';
import type { DeliveredEvent, DomainEventKind } from '../../core/domain-events/domain-event.js';
import type { Outbox, DomainEventHandler } from '../../core/ports/outbox.js';
import { Logger } from '../../platform/logging/logger.js';
import { OutboxRelay } from './outbox.relay.js';

const event = (id: string, kind: DomainEventKind = 'analysis.queued'): DeliveredEvent => ({
  id,
  kind,
  tenant: { organizationId: 'org', environment: 'test' },
  subjectId: `job-${id}`,
});

class MemoryOutbox implements Outbox {
  readonly delivered: string[] = [];
  private listener: () => void = () => undefined;
  private waiting: DeliveredEvent[] = [];
  private emptied: () => void = () => undefined;

  append(): Promise<void> {
    return Promise.resolve();
  }

  onAppended(listener: () => void): void {
    this.listener = listener;
  }

  takeDue(limit: number): Promise<DeliveredEvent[]> {
    const due = this.waiting.splice(0, limit);
    if (due.length === 0) this.emptied();
    return Promise.resolve(due);
  }

  markDelivered(ids: readonly string[]): Promise<void> {
    this.delivered.push(...ids);
    return Promise.resolve();
  }

  /** Resolves when the relay has asked again and found nothing. */
  commit(...events: DeliveredEvent[]): Promise<void> {
    this.waiting.push(...events);
    const drained = new Promise<void>((resolve) => (this.emptied = resolve));
    this.listener();
    this.listener();
    return drained;
  }
}

function handler(
  name: string,
  kinds: DomainEventKind[],
  handle: (event: DeliveredEvent) => Promise<void>,
): DomainEventHandler {
  return { name, kinds, handle };
}

describe('OutboxRelay', () => {
  const outbox = new MemoryOutbox();
  const seen: string[] = [];
  const logged: string[] = [];
  const sink = new PassThrough().on('data', (line: Buffer) => logged.push(line.toString()));
  const relay = new OutboxRelay(
    outbox,
    () => [
      handler('refuses-b', ['analysis.queued'], (event) =>
        event.id === 'b' ? Promise.reject(new Error('secret text')) : Promise.resolve(),
      ),
      handler('records', ['analysis.queued'], (event) => Promise.resolve(void seen.push(event.id))),
    ],
    Logger.create('info', sink),
  );

  beforeAll(() => relay.onApplicationBootstrap());
  afterAll(() => relay.beforeApplicationShutdown());

  it('keeps an event that a handler refused, still tells the other handlers, and logs the id but not the cause text', async () => {
    await outbox.commit(event('a'), event('b'));
    expect(outbox.delivered).toEqual(['a']);
    expect(seen).toEqual(['a', 'b']);
    expect(logged.join('')).toContain('"eventId":"b"');
    expect(logged.join('')).not.toContain('secret text');
  });

  it('keeps an event of a kind that only a newer release knows, and says so', async () => {
    await outbox.commit(event('n', 'wound.photographed' as DomainEventKind));
    expect(outbox.delivered).not.toContain('n');
    expect(logged.find((line) => line.includes('outbox.kind_unknown'))).toMatch(
      /"eventId":"n".*"kind":"wound.photographed"|"kind":"wound.photographed".*"eventId":"n"/,
    );
  });

  it('delivers an event that nobody listens to by removing it', async () => {
    await outbox.commit(event('c', 'analysis.failed'));
    expect(outbox.delivered).toContain('c');
    expect(seen).not.toContain('c');
  });

  it('delivers more events than one batch holds', async () => {
    const many = Array.from({ length: 450 }, (_, index) => event(`m${index}`));
    await outbox.commit(...many);
    expect(seen.filter((id) => id.startsWith('m'))).toHaveLength(450);
  });
});
