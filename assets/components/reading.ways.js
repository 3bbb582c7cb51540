// The ways in: keyboard, mouse and finger.

function listen(view) {
  const { frame, root, reason } = view;
  root.addEventListener("keydown", (event) => key(view, event));
  frame.addEventListener("pointerdown", (event) => press(view, event));
  frame.addEventListener("pointerup", (event) => release(view, event));
  frame.addEventListener("pointercancel", () => (view.pressed = null));
  reason.addEventListener("change", () => change(view, { reason: reason.value.trim() }));
  reason.addEventListener("keydown", (event) => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.stopPropagation();
    if (event.key === "Escape") reason.value = view.marks.get(view.chosen)?.reason ?? "";
    change(view, { reason: reason.value.trim() });
    choose(view, null);
    frame.focus({ preventScroll: true });
  });
  for (const kind of ["keydown", "pointerdown", "pointermove", "wheel"]) {
    document.addEventListener(kind, () => seen(view), { passive: true });
  }
  document.addEventListener("visibilitychange", () => hide(view));
  addEventListener("pagehide", () => root.isConnected && tellVisit(view));
  addEventListener("online", () => send(view));
  document.addEventListener("yomikurabe:reading-stored", ({ detail }) => {
    if (detail.reading === view.data?.reading) stored(view, detail.ids);
  });
  document.addEventListener("yomikurabe:reading-ready", () => view.data && send(view));
  new ResizeObserver(() => {
    const { clientWidth, clientHeight } = frame.parentElement;
    if (view.data && clientWidth && view.frameSize !== `${clientWidth}x${clientHeight}`) paginate(view);
  }).observe(frame.parentElement);
}

function seen(view) {
  if (Date.now() - view.seen > 1000) {
    countTime(view);
    view.seen = Date.now();
  }
}

function hide(view) {
  if (!view.root.isConnected || !view.data) return;
  countTime(view);
  view.hidden = document.hidden;
  if (document.hidden) tellVisit(view);
  else view.seen = Date.now();
}

// ---- keyboard

function key(view, event) {
  const inField = event.target.closest?.("input, button") && !["Escape", "1", "2"].includes(event.key);
  if (event.isComposing || event.altKey || event.metaKey || event.target.tagName === "INPUT") return;
  if (inField && (event.key === " " || event.key === "Enter")) return;
  if (event.ctrlKey && event.key !== "z") return;
  if (view.data.looking && event.key === "Escape") return; // it closes the window
  const act = view.cursor !== null ? (cursorKey(view, event) ?? pageKey(view, event)) : pageKey(view, event);
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

function pageKey(view, { key: pressed, shiftKey }) {
  const forward = view.look.vertical ? "ArrowLeft" : "ArrowRight";
  const backward = view.look.vertical ? "ArrowRight" : "ArrowLeft";
  const ways = {
    [forward]: () => turn(view, view.page + 1),
    [backward]: () => turn(view, view.page - 1),
    ArrowDown: () => turn(view, view.page + 1),
    ArrowUp: () => turn(view, view.page - 1),
    PageDown: () => turn(view, view.page + 1),
    PageUp: () => turn(view, view.page - 1),
    " ": () => turn(view, view.page + (shiftKey ? -1 : 1)),
    ...(view.look.scroll ? lineKeys(view) : {}),
    Home: () => turn(view, 0),
    End: () => turn(view, view.pages - 1),
    1: () => usePen(view, "pleases", { keyboard: true }),
    2: () => usePen(view, "disturbs", { keyboard: true }),
    z: () => undo(view),
    w: () => view.chosen !== null && view.reason.focus(),
    Delete: () => remove(view),
    Backspace: () => remove(view),
    Escape: () => putDown(view),
    "+": () => view.acts.size(1),
    "-": () => view.acts.size(-1),
    ...view.keys,
  };
  return ways[pressed];
}

// Where the text is scrolled, two of the arrows move it by a few lines.
function lineKeys(view) {
  const [onward, back] = view.look.vertical ? ["ArrowLeft", "ArrowRight"] : ["ArrowDown", "ArrowUp"];
  return { [onward]: () => inch(view, 1), [back]: () => inch(view, -1) };
}

// With a pen in hand the arrows move from word to word; Shift stretches, Enter highlights.
function cursorKey(view, { key: pressed, shiftKey }) {
  const vertical = view.look.vertical;
  const ways = {
    [vertical ? "ArrowDown" : "ArrowRight"]: () => step(view, 1, shiftKey),
    [vertical ? "ArrowUp" : "ArrowLeft"]: () => step(view, -1, shiftKey),
    [vertical ? "ArrowLeft" : "ArrowDown"]: () => overLine(view, 1, shiftKey),
    [vertical ? "ArrowRight" : "ArrowUp"]: () => overLine(view, -1, shiftKey),
    Enter: () => {
      const [first, last] = [view.anchor ?? view.cursor, view.cursor].sort((a, b) => a - b);
      view.anchor = null;
      highlight(view, first, last, view.pen);
      paintCursor(view);
    },
  };
  return ways[pressed];
}

function step(view, by, stretched) {
  let to = view.cursor + by;
  while (view.units[to] && !view.units[to].like) to += by;
  moveCursor(view, to, stretched);
}

function overLine(view, by, stretched) {
  const vertical = view.look.vertical;
  const place = (index) => {
    const box = view.units[index].parts[0].getClientRects()[0];
    const [across, along] = [box.left + box.width / 2, box.top + box.height / 2];
    return vertical ? [-across, along, box.width] : [along, across, box.height];
  };
  const page = pageOf(view, view.cursor);
  const [line, along, size] = place(view.cursor);
  let [best, least] = [view.cursor, Infinity];
  for (let index = view.cursor + by; view.units[index] && (view.look.scroll || pageOf(view, index) === page); index += by) {
    if (!view.units[index].like) continue;
    const [other, there] = place(index);
    const lines = Math.round(((other - line) * by) / size);
    const cost = lines * 1e6 + Math.abs(there - along);
    if (lines > 0 && cost < least) [best, least] = [index, cost];
    if (lines > 3) break;
  }
  if (best === view.cursor) return turn(view, view.page + by);
  moveCursor(view, best, stretched);
}

function moveCursor(view, to, stretched) {
  if (!view.units[to]) return;
  if (stretched && view.apart?.(view.anchor ?? view.cursor, to)) return;
  view.anchor = stretched ? (view.anchor ?? view.cursor) : null;
  const [anchor, page] = [view.anchor, pageOf(view, to)];
  if (page !== view.page && !view.look.scroll) turn(view, page);
  Object.assign(view, { cursor: to, anchor });
  paintCursor(view);
  view.acts.follow?.(to);
  say(view, view.units[to].word, "");
}

function paintCursor(view) {
  view.flow.querySelectorAll("[data-at]").forEach((part) => delete part.dataset.at);
  if (view.cursor === null && view.anchor === null) return;
  const ends = [view.anchor ?? view.cursor, view.cursor ?? view.anchor].sort((a, b) => a - b);
  for (let index = ends[0]; index <= ends[1]; index += 1) {
    for (const part of view.units[index].parts) part.dataset.at = index === view.cursor ? "cursor" : "stretch";
  }
}

// ---- pens

// A pen marks what is selected, or gives the chosen highlight its kind; else it is taken in hand, or put down.
function usePen(view, kind, { keyboard }) {
  if (view.data.looking) return;
  const selected = selectedUnits(view);
  if (selected) {
    clearSelection(view);
    highlight(view, ...selected, kind);
    return;
  }
  if (view.chosen !== null && view.pen === null) return change(view, { kind });
  if (view.pen === kind) return putDown(view);
  Object.assign(view, { pen: kind, anchor: null, cursor: keyboard ? firstWord(view) : null });
  choose(view, null);
  paintCursor(view);
  dressTools(view);
  say(view, view.data.words.inHand[kind], "");
}

function putDown(view) {
  Object.assign(view, { pen: null, cursor: null, anchor: null });
  choose(view, null);
  paintCursor(view);
  dressTools(view);
}

function firstWord(view) {
  let index = Math.min(firstSeen(view), view.units.length - 1);
  while (view.units[index + 1] && !view.units[index].like) index += 1;
  return index;
}

// What is selected by the browser's own means, as first and last unit; null for nothing.
function selectedUnits(view) {
  if (view.dragged) return view.dragged;
  const root = view.root.getRootNode();
  const selection = root.getSelection?.() ?? document.getSelection();
  const range = selection?.getComposedRanges?.({ shadowRoots: [root] })[0] ?? (selection?.rangeCount ? selection.getRangeAt(0) : null);
  if (!range || (range.startContainer === range.endContainer && range.startOffset === range.endOffset)) return null;
  const [from, to] = [range.startContainer, range.endContainer].map((node) => {
    const part = (node.nodeType === 1 ? node : node.parentElement)?.closest?.("[data-unit]");
    return part && view.flow.contains(part) ? Number(part.dataset.unit) : null;
  });
  return from === null || to === null || view.apart?.(from, to) ? null : [from, to];
}

function clearSelection(view) {
  view.dragged = null;
  document.getSelection()?.removeAllRanges();
  view.root.getRootNode().getSelection?.()?.removeAllRanges();
}

// ---- mouse and finger

function press(view, event) {
  if (event.button !== 0 || event.target.closest("button")) return;
  view.dragged = null;
  view.pressed = { x: event.clientX, y: event.clientY, unit: unitAt(view, event), touch: event.pointerType === "touch", at: Date.now() };
}

function release(view, event) {
  const from = view.pressed;
  view.pressed = null;
  if (!from || event.target.closest("button")) return;
  const [x, y] = [event.clientX - from.x, event.clientY - from.y];
  if (from.touch) return touched(view, event, from, x, y);
  const to = unitAt(view, event);
  if (Math.hypot(x, y) > 4 && from.unit !== null && to !== null && !view.apart?.(from.unit, to)) {
    const ends = [from.unit, to].sort((a, b) => a - b);
    if (view.pen === null) view.dragged = ends;
    else {
      clearSelection(view);
      highlight(view, ...ends, view.pen);
    }
  } else if (Math.hypot(x, y) <= 4) tapped(view, to);
}

function touched(view, event, from, x, y) {
  if (!view.look.scroll && Math.abs(x) > 45 && Math.abs(x) > 1.5 * Math.abs(y)) {
    return turn(view, view.page + (x < 0 !== view.look.vertical ? 1 : -1));
  }
  if (Math.hypot(x, y) > 12 || Date.now() - from.at > 450) return; // a long press selects
  const unit = unitAt(view, event);
  const marked = unit !== null && markAt(view, unit) !== null;
  if (view.pen === null && !marked) {
    const box = view.frame.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    if (view.chosen !== null) return choose(view, null);
    if (!view.edges || view.look.scroll) return;
    if (share < 0.22) return turn(view, view.page + (view.look.vertical ? 1 : -1));
    if (share > 0.78) return turn(view, view.page + (view.look.vertical ? -1 : 1));
    return;
  }
  tapped(view, unit);
}

// With a pen in hand the first word and the last word; without one a highlight is looked at.
function tapped(view, unit) {
  if (unit === null) return choose(view, null);
  if (view.pen === null) return choose(view, markAt(view, unit));
  if (view.anchor === null || view.apart?.(view.anchor, unit)) {
    const there = markAt(view, unit);
    if (there !== null && view.marks.get(there).kind === view.pen) return choose(view, there);
    Object.assign(view, { anchor: unit, cursor: null });
    return paintCursor(view);
  }
  const ends = [view.anchor, unit].sort((a, b) => a - b);
  view.anchor = null;
  highlight(view, ...ends, view.pen);
  paintCursor(view);
}

function say(view, words, text) {
  view.live.textContent = words.replace("{text}", text);
}
