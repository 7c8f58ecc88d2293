/** What the doors (api-v1, fhir, hl7v2) may use of reports. */
export { drawCalibrationCard } from './calibration-card/draw-calibration-card.js';
