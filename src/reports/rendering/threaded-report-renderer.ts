import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { RenderTask } from './render-thread.js';
import { ReportRenderer } from './report-renderer.js';

/** One is enough: a ward reads reports one by one, and the other cores belong to inference. */
const THREADS = 1;
const IDLE_MS = 60_000;

/** Sets documents in another thread, so that polls are answered meanwhile. The thread starts with the first document. */
@Injectable()
export class ThreadedReportRenderer extends ReportRenderer implements OnApplicationShutdown {
  private pool: Piscina<RenderTask, Uint8Array> | undefined;

  override render(...report: Parameters<ReportRenderer['render']>): Promise<Uint8Array> {
    return this.threads.run({ report });
  }

  override renderCourse(...course: Parameters<ReportRenderer['renderCourse']>): Promise<Uint8Array> {
    return this.threads.run({ course });
  }

  override renderEvidence(...evidence: Parameters<ReportRenderer['renderEvidence']>): Promise<Uint8Array> {
    return this.threads.run({ evidence });
  }

  override renderCards(...cards: Parameters<ReportRenderer['renderCards']>): Promise<Uint8Array> {
    return this.threads.run({ cards });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }

  private get threads(): Piscina<RenderTask, Uint8Array> {
    return (this.pool ??= new Piscina<RenderTask, Uint8Array>({
      filename: new URL('./render-thread.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_MS,
    }));
  }
}
