import type { PixelPoint } from '../../../core/measurement/wound-result.js';
import type { GreyPicture } from './grey-picture.js';
import { loadOpenCv, type CvArucoDetector, type CvMat, type CvMatVector, type OpenCv } from './opencv.js';

/** Four corners, clockwise from the marker's own upper left one. */
export type Corners = readonly [PixelPoint, PixelPoint, PixelPoint, PixelPoint];

/** A marker as the search finds it, in raster pixels, accurate to about one. */
export interface SeenMarker {
  readonly id: number;
  readonly corners: Corners;
}

/** Differences from OpenCV's defaults (4.12, cv::aruco::DetectorParameters). */
const PARAMETERS = {
  // One window instead of three: on drawn cards, sharp to badly blurred, near to far, it found as many markers in a third of the time.
  adaptiveThreshWinSizeMin: 23,
  adaptiveThreshWinSizeMax: 23,
  // A code is read without a single wrong cell, and its border nearly so: 50 codes of 16 cells leave no room for repairs.
  errorCorrectionRate: 0,
  maxErroneousBitsInBorderRate: 0.1,
  minMarkerPerimeterRate: 0.03,
};

/** Finds ArUco markers of DICT_4X4_50 with OpenCV. Holds memory of its own: one for a process. */
export class MarkerSearch {
  private constructor(
    private readonly cv: OpenCv,
    private readonly detector: CvArucoDetector,
  ) {}

  static async open(): Promise<MarkerSearch> {
    const { cv } = await loadOpenCv();
    const parameters = Object.assign(new cv.aruco_DetectorParameters(), PARAMETERS);
    const detector = new cv.aruco_ArucoDetector(
      cv.getPredefinedDictionary(cv.DICT_4X4_50),
      parameters,
      new cv.aruco_RefineParameters(10, 3, true),
    );
    return new MarkerSearch(cv, detector);
  }

  find(picture: GreyPicture): SeenMarker[] {
    const { cv } = this;
    const input = new cv.Mat(picture.height, picture.width, cv.CV_8UC1);
    const [corners, ids, rejected] = [new cv.MatVector(), new cv.Mat(), new cv.MatVector()];
    try {
      input.data.set(picture.values);
      this.detector.detectMarkers(input, corners, ids, rejected);
      return readMarkers(corners, ids, picture.step);
    } finally {
      for (const held of [input, corners, ids, rejected]) held.delete();
    }
  }
}

function readMarkers(corners: CvMatVector, ids: CvMat, step: number): SeenMarker[] {
  return Array.from({ length: corners.size() }, (_, index) => {
    const quad = corners.get(index);
    // OpenCV counts from the centre of the first pixel.
    const point = (corner: number): PixelPoint => [
      (quad.data32F[2 * corner]! + 0.5) * step,
      (quad.data32F[2 * corner + 1]! + 0.5) * step,
    ];
    const seen = { id: ids.data32S[index]!, corners: [point(0), point(1), point(2), point(3)] as const };
    quad.delete();
    return seen;
  });
}
