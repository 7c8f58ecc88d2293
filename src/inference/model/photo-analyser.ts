import { createHash } from 'node:crypto';
import type { AnalysisTrace, Familiarity, WoundMeasurement } from '../../core/measurement/wound-result.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { PhotoFindings } from '../../core/measurement/assemble-result.js';
import type { CardCorrections } from '../../core/calibration/calibration-card.js';
import { withPlausibleScale } from '../../core/measurement/implausible-scale.js';
import { measureWounds } from '../../core/measurement/measure-wounds.js';
import { chooseScale } from '../../core/measurement/scale-choice.js';
import { judgeFamiliarity, outlineAgreement } from '../../core/measurement/familiarity.js';
import { photoConfidence } from '../../core/measurement/wound-confidence.js';
import { decidePresence } from '../../core/measurement/wound-presence.js';
import { failpoint } from '../../platform/failpoints.js';
import { findCalibrationCard } from '../imaging/markers/find-calibration-card.js';
import { drawMaskPicture } from '../imaging/mask-picture.js';
import { assessPhoto } from '../imaging/photo-figures.js';
import { readPhotoRaster, type PhotoRaster } from '../imaging/photo-raster.js';
import { drawTissuePicture, type TissueMap, type TissuePicture } from '../imaging/tissue-picture.js';
import type { LoadedModels } from './loaded-models.js';
import { toModelUsed } from './model-manifest.js';
import { StepClock } from './step-clock.js';
import { WoundLocator, type LocatedWounds } from './wound-locator.js';
import { TissueReader, type DescribedWounds } from './tissue-reader.js';

/** The analysis of one photo: all of the result but what only the job knows. */
export interface PhotoAnalysis extends PhotoFindings {
  /** PNG of the oriented photo's size. */
  readonly mask: Uint8Array;
  /** null where no tissue was told apart. */
  readonly tissuePicture: TissuePicture | null;
}

interface AnalyserOptions {
  readonly maxPixels: number;
}

/** Turns a photo's bytes into outlines, figures and a mask. */
export class PhotoAnalyser {
  private readonly locator: WoundLocator;
  private readonly tissues: TissueReader | null;

  constructor(
    private readonly models: LoadedModels,
    private readonly options: AnalyserOptions,
  ) {
    this.locator = new WoundLocator(models.segmentation);
    this.tissues = models.tissue === null ? null : new TissueReader(models.tissue);
  }

  /**
   * `processing.failed` where the photo cannot be decoded, `model.output_invalid` where a model gives no probabilities.
   * @param mmPerPixel of the oriented photo, as its sender states it
   * @param corrections bar lengths that were measured on the sender's printed calibration cards
   */
  async analyse(
    bytes: Uint8Array,
    mmPerPixel: number | null,
    corrections: CardCorrections | null = null,
  ): Promise<PhotoAnalysis> {
    const clock = new StepClock();
    await failpoint('child_decode', bytes);
    const raster = await this.decode(bytes);
    const { photo } = raster;
    clock.step('decodeMs');
    const card = await findCalibrationCard(raster, corrections);
    const chosen = chooseScale(mmPerPixel, card, photo);
    clock.step('markerMs');
    const located = await this.locator.locate(raster, clock, card.outlines);
    const measured = measureWounds(located.map, photo, located.rules, chosen.scale);
    const { reported, setAside } = decidePresence(measured, located.presence, this.manifest.presence);
    const { scale, wounds: outlined } = withPlausibleScale(chosen, reported);
    const { presence, rules } = located;
    const confidence = photoConfidence(located.shown, outlined.length > 0, rules.confidence, presence);
    const figures = assessPhoto(raster);
    clock.step('measureMs');
    const { wounds, map } = await this.withTissue(outlined, raster, clock);
    const mask = await drawMaskPicture(
      wounds.map(({ contour }) => contour),
      photo,
    );
    const tissuePicture = map === null ? null : await drawTissuePicture(map);
    clock.step('maskMs');
    const cardBarMm = scale.scale?.source === 'marker' ? card.correctedBarMm : null;
    const pixelSha256 = digestOf(raster);
    const trace = {
      ...this.trace(located, wounds.length > 0),
      pixelSha256,
      cardBarMm,
      timingsMs: clock.timingsMs,
    };
    const { unfamiliar } = located;
    const familiarity = wounds.length === 0 ? null : familiarityOf(located);
    return { photo, figures, wounds, setAside, confidence, scale, unfamiliar, familiarity, mask, tissuePicture, trace };
  }

  private get manifest() {
    return this.models.segmentation.manifest;
  }

  private async decode(bytes: Uint8Array): Promise<PhotoRaster> {
    try {
      return await readPhotoRaster(bytes, this.options.maxPixels);
    } catch {
      throw new SuturaError('processing.failed');
    }
  }

  private async withTissue(
    wounds: WoundMeasurement[],
    raster: PhotoRaster,
    clock: StepClock,
  ): Promise<Omit<DescribedWounds, 'map'> & { readonly map: TissueMap | null }> {
    if (this.tissues === null || wounds.length === 0) return { wounds, map: null };
    const described = await this.tissues.describe(wounds, raster);
    clock.step('tissueMs');
    return described;
  }

  private trace({ crop, rules }: LocatedWounds, woundFound: boolean): Omit<AnalysisTrace, 'cardBarMm' | 'timingsMs'> {
    const { segmentation, tissue } = this.models;
    const { manifest, provider } = segmentation;
    return {
      // Without a wound the tissue model does not run.
      models: [toModelUsed(manifest), ...(tissue !== null && woundFound ? [toModelUsed(tissue.manifest)] : [])],
      executionProvider: provider,
      preprocessing: {
        inputWidth: manifest.input.width,
        inputHeight: manifest.input.height,
        resize: 'letterbox',
        colorSpace: 'srgb',
        crop,
      },
      thresholds: {
        probability: manifest.threshold,
        minAreaShare: rules.minAreaShare,
        novelty: manifest.noveltyThreshold ?? null,
      },
      areaRepeatabilityPct: manifest.areaRepeatabilityPct ?? null,
    };
  }
}

/** Of the raster that everything is read from, and the photo's own size: some ten milliseconds. */
function digestOf({ photo, pixels }: PhotoRaster): string {
  return createHash('sha256').update(`${photo.widthPx}x${photo.heightPx} `).update(pixels).digest('hex');
}

function familiarityOf({ map, rules: { threshold, familiarity } }: LocatedWounds): Familiarity | null {
  const agreement = outlineAgreement(map, threshold);
  return agreement === null || familiarity === undefined ? null : judgeFamiliarity(agreement, familiarity);
}
