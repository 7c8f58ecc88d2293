import { Injectable } from '@nestjs/common';
import { CALIBRATION_CARDS, CARD_SIZES } from '../../../core/calibration/calibration-card.js';
import { CalibrationRepository, type MeasuredCard } from '../../../core/calibration/calibration.repository.js';
import { Clock } from '../../../core/ports/clock.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { conditional } from '../../../platform/http/entity-tag.js';
import { emptyAnswer, jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { ReportRenderer } from '../../../reports/index.js';
import { wholeList } from '../paging/page.js';
import { fromSizeText, toSizeText, type CardMeasurement, type SizeText } from './calibration.schema.js';

const PDF_CONTENT_TYPE = 'application/pdf';

/** Calibration cards to print, and what was measured on the prints, as HTTP answers. */
@Injectable()
export class CalibrationService {
  /** Rendered once: the cards are the same for all. */
  private readonly drawn = new Map<string, Promise<Uint8Array>>();

  constructor(
    private readonly repository: CalibrationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly renderer: ReportRenderer,
  ) {}

  async pdf(size: SizeText | undefined, ifNoneMatch: string | undefined): Promise<HttpAnswer> {
    const headers = {
      'content-type': PDF_CONTENT_TYPE,
      'content-disposition': `inline; filename="calibration-card${size === undefined ? '' : `-${size}`}.pdf"`,
    };
    return conditional({ status: 200, headers, body: await this.drawOnce(size) }, ifNoneMatch);
  }

  async read(tenant: Tenant): Promise<HttpAnswer> {
    const measured = await this.unitOfWork.inTenant(tenant, (transaction) => this.repository.list(transaction));
    return jsonAnswer(200, toView(measured));
  }

  async measure(tenant: Tenant, { size, measuredBarMm }: CardMeasurement): Promise<HttpAnswer> {
    const card = { size: fromSizeText(size), barMm: measuredBarMm, measuredAt: this.clock.now() };
    const measured = await this.unitOfWork.inTenant(tenant, async (transaction) => {
      await this.repository.save(transaction, card);
      return this.repository.list(transaction);
    });
    return jsonAnswer(200, toView(measured));
  }

  async forget(tenant: Tenant, size: SizeText | undefined): Promise<HttpAnswer> {
    const one = size === undefined ? null : fromSizeText(size);
    await this.unitOfWork.inTenant(tenant, (transaction) => this.repository.remove(transaction, one));
    return emptyAnswer(204);
  }

  private drawOnce(size: SizeText | undefined): Promise<Uint8Array> {
    const name = size ?? 'both';
    const known = this.drawn.get(name);
    if (known !== undefined) return known;
    const drawing = this.renderer.renderCards(size === undefined ? CARD_SIZES : [fromSizeText(size)]);
    this.drawn.set(name, drawing);
    // A failure is not what everybody gets from then on.
    drawing.catch(() => this.drawn.delete(name));
    return drawing;
  }
}

function toView(measured: readonly MeasuredCard[]): unknown {
  const cards = CARD_SIZES.map((size) => {
    const card = measured.find((one) => one.size === size);
    return {
      size: toSizeText(size),
      barMm: CALIBRATION_CARDS[size].barMm,
      measuredBarMm: card?.barMm ?? null,
      measuredAt: card?.measuredAt.toISOString() ?? null,
    };
  });
  return wholeList(cards, 'cards');
}
