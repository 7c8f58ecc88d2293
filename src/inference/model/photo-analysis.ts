import { performance } from 'node:perf_hooks';
import type { AnalysisTrace } from '../../core/analysis/wound-result.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { PhotoFindings } from '../../core/measurement/assemble-result.js';
import { measureWounds } from '../../core/measurement/measure-wounds.js';
import { chooseScale } from '../../core/measurement/scale-choice.js';
import { photoConfidence } from '../../core/measurement/wound-confidence.js';
import { failpoint } from '../../platform/failpoints.js';
import { drawMaskPicture } from '../imaging/mask-picture.js';
import { assessPhoto } from '../imaging/photo-figures.js';
import { readPhotoTensor, type PhotoTensor } from '../imaging/photo-tensor.js';
import { Batcher } from './batcher.js';
import { toModelUsed } from './model-manifest.js';
import type { SegmentationSession } from './segmentation-session.js';

/** What one photo gave; everything of the result except what only the job knows. */
export interface PhotoAnalysis extends PhotoFindings {
  /** PNG of the oriented photo's size. */
  readonly mask: Uint8Array;
}

export interface AnalyserOptions {
  readonly maxPixels: number;
  readonly batchSize: number;
  readonly batchDelayMs: number;
}

/** From a photo's bytes to outlines, figures and mask. Photos that come together share a run where the provider gains by it. */
export class PhotoAnalyser {
  private readonly batcher: Batcher<Float32Array, Float32Array | SuturaError>;

  constructor(
    private readonly session: SegmentationSession,
    private readonly options: AnalyserOptions,
  ) {
    // On a processor a batch takes as long as its pictures one by one.
    const limits = session.provider === 'cpu' ? { maxSize: 1, maxDelayMs: 0 } : { maxSize: options.batchSize, maxDelayMs: options.batchDelayMs };
    this.batcher = new Batcher((pictures) => session.predict(pictures), limits);
  }

  /** `processing.failed` where the photo cannot be decoded, `model.output_invalid` where the model gives no probabilities. */
  async analyse(bytes: Uint8Array, mmPerPixel: number | null): Promise<PhotoAnalysis> {
    const clock = new StepClock();
    await failpoint('child_decode', bytes);
    const tensor = await this.decode(bytes);
    clock.step('decodeMs');
    const values = await this.batcher.add(tensor.values);
    if (values instanceof SuturaError) throw values;
    clock.step('inferenceMs');
    const { input, threshold, minAreaShare } = this.session.manifest;
    const map = { width: input.width, height: input.height, values, content: tensor.content };
    const scale = chooseScale(mmPerPixel, { scale: null, finding: null }, tensor.photo);
    const wounds = measureWounds(map, tensor.photo, { threshold, minAreaShare }, scale.scale);
    const confidence = photoConfidence(map, wounds.length > 0, undefined);
    const figures = assessPhoto(tensor.raster);
    clock.step('measureMs');
    const mask = await drawMaskPicture(wounds.map(({ contour }) => contour), tensor.photo);
    clock.step('maskMs');
    return { photo: tensor.photo, figures, wounds, confidence, scale, unfamiliar: false, mask, trace: this.trace(clock.timingsMs) };
  }

  private async decode(bytes: Uint8Array): Promise<PhotoTensor> {
    try {
      return await readPhotoTensor(bytes, this.session.manifest.input, this.options.maxPixels);
    } catch {
      throw new SuturaError('processing.failed');
    }
  }

  private trace(timingsMs: Readonly<Record<string, number>>): AnalysisTrace {
    const { manifest, provider } = this.session;
    return {
      models: [toModelUsed(manifest)],
      executionProvider: provider,
      preprocessing: { inputWidth: manifest.input.width, inputHeight: manifest.input.height, resize: 'letterbox', colorSpace: 'srgb' },
      thresholds: { probability: manifest.threshold, minAreaShare: manifest.minAreaShare },
      timingsMs,
    };
  }
}

/** Durations of consecutive steps, in milliseconds to a tenth. */
class StepClock {
  readonly timingsMs: Record<string, number> = {};
  private last = performance.now();

  step(name: string): void {
    const now = performance.now();
    this.timingsMs[name] = Math.round((now - this.last) * 10) / 10;
    this.last = now;
  }
}
