import { createRequire } from 'node:module';

/** The used part of OpenCV's WebAssembly build; its own declarations leave out ArUco. The garbage collector does not see objects with `delete`. */
export interface OpenCv {
  readonly CV_8UC1: number;
  readonly DICT_4X4_50: number;
  readonly Mat: new (rows?: number, columns?: number, type?: number) => CvMat;
  readonly MatVector: new () => CvMatVector;
  readonly aruco_DetectorParameters: new () => Record<string, number | boolean>;
  readonly aruco_RefineParameters: new (minDistance: number, errorRate: number, checkAllOrders: boolean) => object;
  readonly aruco_ArucoDetector: new (
    dictionary: CvDictionary,
    parameters: object,
    refinement: object,
  ) => CvArucoDetector;
  getPredefinedDictionary(name: number): CvDictionary;
}

export interface CvMat {
  readonly rows: number;
  readonly cols: number;
  readonly data: Uint8Array;
  readonly data32S: Int32Array;
  readonly data32F: Float32Array;
  delete(): void;
}

export interface CvMatVector {
  size(): number;
  get(index: number): CvMat;
  delete(): void;
}

interface CvDictionary {
  generateImageMarker(id: number, sidePx: number, target: CvMat, borderCells: number): void;
}

export interface CvArucoDetector {
  detectMarkers(picture: CvMat, corners: CvMatVector, ids: CvMat, rejected: CvMatVector): void;
}

interface LoadingOpenCv extends Partial<OpenCv> {
  onRuntimeInitialized?: () => void;
}

/** In a box: the library has a `then` of its own that resolves to itself, so that a promise for it would never settle. */
interface LoadedOpenCv {
  readonly cv: OpenCv;
}

let loading: Promise<LoadedOpenCv> | undefined;

/** OpenCV, loaded once per process: about half a second and 75 MB, nothing from outside the package. */
export function loadOpenCv(): Promise<LoadedOpenCv> {
  loading ??= load();
  return loading;
}

function load(): Promise<LoadedOpenCv> {
  const before = new Set<unknown>([
    ...process.listeners('uncaughtException'),
    ...process.listeners('unhandledRejection'),
  ]);
  const cv = createRequire(import.meta.url)('@techstark/opencv-js') as LoadingOpenCv;
  dropNewListeners(before);
  return new Promise((resolve) => {
    const settle = () => resolve({ cv: cv as OpenCv });
    if (cv.Mat === undefined) cv.onRuntimeInitialized = settle;
    else settle();
  });
}

/** Emscripten's runtime ends the process on every unhandled rejection, its own or not. That is prevented. */
function dropNewListeners(before: ReadonlySet<unknown>): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    for (const listener of process.listeners(event as 'uncaughtException')) {
      if (!before.has(listener)) process.removeListener(event, listener);
    }
  }
}
