import { measureWounds } from '../../dist/src/core/measurement/measure-wounds.js';
import { toPhotoTensor } from '../../dist/src/inference/imaging/photo-tensor.js';
import { cropAround } from '../../dist/src/inference/model/crop.js';

/** As src/inference/model/wound-refinement.ts has them. */
const LEAST_CROP_SIDE = 224;
const LEAST_GAIN = 1.3;

/**
 * What the service does not do: a second look at each outline apart, not at one crop around all of them. Outlines that lie in each
 * other's crops are looked at together; one that no crop shows larger stays as it was. null where the first look outlines nothing.
 */
export async function outlineApart(session, raster) {
  const { refinement } = session.manifest;
  const whole = await outline(session, raster);
  if (whole.length === 0) return null;
  const cropOf = ({ box }) => cropAround(box, refinement.contextShare, raster, LEAST_CROP_SIDE);
  const scale = raster.width / raster.photo.widthPx;
  const groups = joined(
    whole.map((wound) => ({ box: boxOf(wound, scale), wounds: [wound] })),
    cropOf,
  );
  const found = [];
  for (const group of groups) found.push(...(await closer(session, raster, group, cropOf(group))));
  return found;
}

async function closer(session, raster, group, crop) {
  const { input } = session.manifest;
  const within = (frame) => Math.min(frame.width / raster.width, frame.height / raster.height);
  const gain = Math.min(1, input.width / crop.width, input.height / crop.height) / within(input);
  return gain >= LEAST_GAIN ? outline(session, raster, crop) : group.wounds;
}

async function outline(session, raster, region) {
  const { input, threshold, minAreaShare } = session.manifest;
  const tensor = await toPhotoTensor(raster, input, region);
  const { probabilities: values } = await session.predict(tensor.values);
  const { x, y, width, height } = tensor.region;
  const isShown = (pixel) => {
    const [column, row] = [pixel % input.width, Math.floor(pixel / input.width)];
    return column >= x && column < x + width && row >= y && row < y + height;
  };
  const map = {
    width: input.width,
    height: input.height,
    values: values.map((value, pixel) => (isShown(pixel) ? value : 0)),
    content: tensor.content,
  };
  const share = region === undefined ? 1 : (region.width * region.height) / (raster.width * raster.height);
  return measureWounds(map, raster.photo, { threshold, minAreaShare: minAreaShare * share }, null);
}

function joined(groups, cropOf) {
  for (const [index, one] of groups.entries()) {
    const other = groups.findIndex(
      (next, at) => at > index && (meet(cropOf(one), next.box) || meet(cropOf(next), one.box)),
    );
    if (other < 0) continue;
    const both = { box: around(one.box, groups[other].box), wounds: [...one.wounds, ...groups[other].wounds] };
    return joined([...groups.filter((_, at) => at !== index && at !== other), both], cropOf);
  }
  return groups;
}

const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

function around(a, b) {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)];
  return { x, y, width: right - x, height: bottom - y };
}

function boxOf({ contour }, scale) {
  const [ring] = contour.coordinates;
  const [xs, ys] = [0, 1].map((axis) => ring.map((point) => point[axis] * scale));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
