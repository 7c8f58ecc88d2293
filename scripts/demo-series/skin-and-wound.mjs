import { smoothNoise, smoothStep } from './smooth-noise.mjs';

const { abs, exp, max, min, sin } = Math;

/** Reflected light, 0 to 1, of red, green and blue. */
const SKIN = [0.62, 0.37, 0.265];
const NEW_SKIN = [0.68, 0.375, 0.3];
const GRANULATION = [0.36, 0.045, 0.045];
const PLAIN_WOUND = [0.405, 0.045, 0.045];
const SLOUGH = [0.52, 0.36, 0.14];
const NECROSIS = [0.018, 0.014, 0.013];
const CLOTH = [0.09, 0.2, 0.24];

/** The lower leg lies along the picture's height; beside it is cloth. */
const LEG_HALF_WIDTH_MM = 84;
const LEG_MIDDLE_MM = 6;
const CALF_MM = 5;
/** The border is no knife's edge: over this distance skin becomes wound. */
const BORDER_MM = 0.5;

const broad = smoothNoise(23, 11);
const blotches = smoothNoise(5.2, 12);
const pores = smoothNoise(0.75, 13);
const creases = smoothNoise(1.7, 14);
const folds = smoothNoise(30, 15);
const weave = smoothNoise(1.1, 16);
const grains = smoothNoise(1.5, 17);
const hollows = smoothNoise(6, 18);
const patches = smoothNoise(6.5, 19);
const fringes = smoothNoise(2.3, 20);
const swirl = smoothNoise(5, 22);
const wet = smoothNoise(1.3, 21);
const mottling = smoothNoise(9, 31);
const finerMottling = smoothNoise(2.6, 32);
const sallow = smoothNoise(14, 33);
const moist = smoothNoise(3.1, 34);
const bend = smoothNoise(12, 41);
const strands = smoothNoise(2.2, 42);
const hairiness = smoothNoise(7, 43);

/** The light of a leg with one wound around (0, 0), place by place in millimetres; `firstOutline` is where the wound once reached. */
export function legWithWound({ outline, firstOutline, sloughShare, necrosisShare = 0 }) {
  return (x, y) => {
    const across = (x - LEG_MIDDLE_MM) / (LEG_HALF_WIDTH_MM + CALF_MM * sin(y / 70));
    if (abs(across) > 1) return cloth(x, y, abs(across));
    const depth = outline.depthMm(x, y);
    const wound = asSeen(smoothStep(-BORDER_MM, BORDER_MM, depth));
    const skin = wound < 1 ? skinLight(x, y, depth, firstOutline.depthMm(x, y)) : null;
    const bed = wound > 0 ? bedLight(x, y, depth, sloughShare, necrosisShare) : null;
    // A leg is round: what turns away gets less light.
    const shade = 0.42 + 0.58 * (1 - across ** 4);
    return mix(skin ?? bed, bed ?? skin, wound).map((light) => light * shade);
  };
}

/** The same wound without texture: one colour of skin, one of wound, for programs that tell them apart by colour alone. */
export function plainWound({ outline }) {
  return (x, y) => mix(SKIN, PLAIN_WOUND, asSeen(smoothStep(-BORDER_MM, BORDER_MM, outline.depthMm(x, y))));
}

/** Half of the way in light looks like a third of it: the border lies where a viewer sees the middle of both colours. */
function asSeen(share) {
  return 1 - (1 - share) ** 1.5;
}

/** As skin is in photos: blotched, hairy and moist. On one that is even the outline model finds itself in unknown country. */
function skinLight(x, y, depth, firstDepth) {
  const texture = 1 + 0.1 * (broad(x, y) + blotches(x, y)) + 0.045 * pores(x, y) + 0.03 * creases(x * 0.35, y * 1.6);
  const [dx, dy] = [3 * swirl(x, y), 3 * swirl(y, x)];
  const redness = 0.45 * (0.6 * mottling(x, y) + 0.4 * finerMottling(x + dx, y + dy));
  // Skin that has closed over the wound is pinker; around the wound it is a little inflamed.
  const closed = 0.55 * smoothStep(-0.5, 2, firstDepth);
  const flush = 0.3 * exp(min(0, depth) / 7) + 0.05 * max(0, broad(y, x)) + redness;
  const gloss =
    0.25 * smoothStep(0.25, 0.95, 0.65 * moist(x, y * 1.2) + 0.35 * pores(x * 0.8, y * 0.8) + 0.25 * broad(x - 9, y));
  const light = mix(SKIN, NEW_SKIN, closed);
  const shares = [1 - 0.25 * redness, 1 - flush, 1 - flush - 0.1 * sallow(x, y)];
  return light.map((part, channel) => (part * texture * shares[channel] + gloss) * (1 - 0.5 * hairAt(x, y)));
}

/** 1 in the middle of a hair, 0 beside it. Hairs lie along the leg, a little bent, in some places more than in others. */
function hairAt(x, y) {
  const across = abs(strands(x + 5 * bend(x, y), y * 0.12));
  return (1 - smoothStep(0, 0.09, across)) * smoothStep(-0.2, 0.5, hairiness(x, y));
}

function bedLight(x, y, depth, sloughShare, necrosisShare) {
  const [dx, dy] = [3 * swirl(x, y), 3 * swirl(y + 50, x)];
  const texture = 1 + 0.22 * grains(x + dx, y + dy) + 0.18 * hollows(x, y) + 0.1 * pores(x, y);
  // The border stands a little over the bed and throws a narrow shadow.
  const shadow = 1 - 0.18 * exp(-max(0, depth) / 1.2);
  const slough =
    sloughShare *
    smoothStep(0.02, 0.42, patches(x + dx, y + dy) + 0.25 * fringes(x - dy, y + dx)) *
    smoothStep(1, 3.5, depth);
  const dead =
    necrosisShare * smoothStep(-0.5, -0.2, patches(y + dy, x - dx) + hollows(x, y)) * smoothStep(0.5, 1.5, depth);
  const light = mix(mix(GRANULATION, SLOUGH, slough), NECROSIS, dead);
  const gloss = (1 - dead) * 0.35 * smoothStep(0.78, 0.95, wet(x + dy, y - dx));
  return light.map((part) => part * texture * shadow + gloss);
}

function cloth(x, y, across) {
  const beside = 1 - 0.55 * exp(-(across - 1) / 0.07);
  const light = beside * (0.85 + 0.3 * folds(x, y * 0.4) + 0.1 * weave(x, y));
  return CLOTH.map((part) => part * max(0.15, light));
}

function mix(from, to, share) {
  return [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ];
}
