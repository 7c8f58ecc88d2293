/** Areas differ by so much from one processor to another; a change of the model that matters is larger. */
const AREA_SHARE = 0.03;
const NECROSIS_SHARE = 0.03;

const near = (one, other, most) => one === other || (one !== null && other !== null && Math.abs(one - other) <= most);

function isSame(field, kept, seen) {
  if (field === 'areaCm2') return near(kept, seen, Math.max(0.1, (kept ?? 0) * AREA_SHARE) + 1e-9);
  if (field === 'necrosisShare') return near(kept, seen, NECROSIS_SHARE + 1e-9);
  return JSON.stringify(kept) === JSON.stringify(seen);
}

const differencesIn = (name, kept, seen) =>
  Object.keys({ ...kept, ...seen })
    .filter((field) => !isSame(field, kept?.[field], seen?.[field]))
    .map((field) => `${name}: ${field} was ${JSON.stringify(kept?.[field])}, and is ${JSON.stringify(seen?.[field])}`);

/** A sentence for each thing that is seen now and was not kept so, or the other way round. */
export function differencesOf(kept, seen) {
  const byName = (list) => Object.fromEntries(list.map((one) => [one.name, one]));
  return ['samples', 'series'].flatMap((part) => {
    const [before, now] = [byName(kept[part]), byName(seen[part])];
    return Object.keys({ ...before, ...now }).flatMap((name) =>
      differencesIn(name, before[name]?.seen, now[name]?.seen),
    );
  });
}
