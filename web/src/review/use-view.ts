import { useCallback, useEffect, useLayoutEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';

const MOST_ZOOM = 12;
const STEP = 1.5;
/** Of a wheel's step. */
const PER_WHEEL_PX = 0.002;

interface Anchor {
  readonly shareX: number;
  readonly shareY: number;
  readonly clientX: number;
  readonly clientY: number;
}

export interface View {
  /** Of the element that shows a part of the photo. */
  readonly box: (element: HTMLDivElement | null) => void;
  readonly zoom: number;
  readonly larger: () => void;
  readonly smaller: () => void;
  readonly whole: () => void;
  /** False while two fingers move the photo: nothing is drawn then. */
  readonly isSingle: () => boolean;
  readonly gestures: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: (event: PointerEvent) => void;
  };
}

type ZoomTo = (factor: number, clientX?: number, clientY?: number) => void;

/** How much of a photo is seen: larger and smaller around a place, moved by one or two fingers. `pans`: one finger moves the photo. */
export function useView(pans: boolean): View {
  const box = useRef<HTMLDivElement | null>(null);
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const { zoom, zoomTo } = useZoom(box);
  useWheel(element, zoomTo);
  const attach = useCallback((shown: HTMLDivElement | null) => {
    box.current = shown;
    setElement(shown);
  }, []);
  return {
    box: attach,
    zoom,
    larger: () => zoomTo(STEP),
    smaller: () => zoomTo(1 / STEP),
    whole: () => zoomTo(1 / MOST_ZOOM),
    ...useFingers(box, zoomTo, pans),
  };
}

function useZoom(box: RefObject<HTMLDivElement | null>) {
  const [zoom, setZoom] = useState(1);
  const anchor = useRef<Anchor | null>(null);
  const zoomTo = useCallback<ZoomTo>(
    (factor, clientX, clientY) => {
      const seen = box.current;
      if (seen !== null) {
        const frame = seen.getBoundingClientRect();
        const [x, y] = [clientX ?? frame.left + frame.width / 2, clientY ?? frame.top + frame.height / 2];
        anchor.current = {
          shareX: (seen.scrollLeft + x - frame.left) / seen.scrollWidth,
          shareY: (seen.scrollTop + y - frame.top) / seen.scrollHeight,
          clientX: x,
          clientY: y,
        };
      }
      setZoom((known) => Math.min(MOST_ZOOM, Math.max(1, known * factor)));
    },
    [box],
  );
  // What was under the fingers stays under them.
  useLayoutEffect(() => {
    const [seen, held] = [box.current, anchor.current];
    if (seen === null || held === null) return;
    const frame = seen.getBoundingClientRect();
    seen.scrollLeft = held.shareX * seen.scrollWidth - (held.clientX - frame.left);
    seen.scrollTop = held.shareY * seen.scrollHeight - (held.clientY - frame.top);
    anchor.current = null;
  }, [box, zoom]);
  return { zoom, zoomTo };
}

/** Ctrl and the wheel, which is also what a touchpad's two fingers send; the wheel alone moves the page. */
function useWheel(element: HTMLDivElement | null, zoomTo: ZoomTo): void {
  useEffect(() => {
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomTo(Math.exp(-event.deltaY * PER_WHEEL_PX), event.clientX, event.clientY);
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [element, zoomTo]);
}

function useFingers(
  box: RefObject<HTMLDivElement | null>,
  zoomTo: ZoomTo,
  pans: boolean,
): Pick<View, 'isSingle' | 'gestures'> {
  const fingers = useRef(new Map<number, readonly [number, number]>());
  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (before === undefined) return;
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    const now = [event.clientX, event.clientY] as const;
    fingers.current.set(event.pointerId, now);
    const [x, y] = [now[0] - before[0], now[1] - before[1]];
    if (other !== undefined) {
      moveBy(box.current!, x / 2, y / 2);
      const [was, is] = [before, now].map((one) => Math.hypot(one[0] - other[0], one[1] - other[1]));
      if (was! > 0) zoomTo(is! / was!, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    } else if (pans && (event.target as Element).closest('.desk-handle') === null) moveBy(box.current!, x, y);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    fingers.current.set(event.pointerId, [event.clientX, event.clientY]);
    const target = event.target as Element;
    if (!target.hasPointerCapture(event.pointerId)) target.setPointerCapture(event.pointerId);
  };
  const lift = (event: PointerEvent) => void fingers.current.delete(event.pointerId);
  return {
    isSingle: () => fingers.current.size < 2,
    gestures: { onPointerDown, onPointerMove, onPointerUp: lift, onPointerCancel: lift },
  };
}

function moveBy(seen: HTMLDivElement, x: number, y: number): void {
  const before = seen.scrollTop;
  seen.scrollLeft -= x;
  seen.scrollTop -= y;
  // What the photo cannot take moves the page, which a finger on the photo would else hold still.
  if (y !== 0 && seen.scrollTop === before) window.scrollBy(0, -y);
}
