// The ways in: mouse, finger, keyboard, clipboard. Each ends in one of the acts of passage.js.

// ---- mouse and pen: press, drag, release

function press(view, event) {
  view.touch = event.pointerType === "touch";
  if (view.touch || event.altKey || event.button !== 0) return;
  const unit = unitAt(view, event);
  view.press = { unit, chip: chipAt(view, event), moved: false };
  view.anchor = unit;
  if (unit !== null) view.cursor = unit;
  view.body.setPointerCapture(event.pointerId);
  paint(view);
}

function drag(view, event) {
  if (!view.press || view.press.unit === null) return;
  const unit = unitAt(view, event);
  if (unit === null || unit === view.cursor) return;
  view.press.moved = true;
  view.cursor = unit;
  paint(view);
}

function release(view) {
  const { unit, chip, moved } = view.press ?? {};
  if (!view.press) return;
  view.press = null;
  const index = chip ?? (moved || unit === null || view.begun ? null : nextAt(view, unit));
  if (index !== null) hit(view, index);
  else if (unit !== null && (moved || !view.blank[unit])) mark(view, view.severity);
  else forget(view);
}

// A mark was clicked: it is chosen; another click there chooses the next longer mark around it. A mark goes by its
// button or by Delete only, for a click is for looking, too.
function hit(view, index) {
  Object.assign(view, { anchor: null, begun: false });
  choose(view, index);
  paint(view);
  view.live.textContent = `${textOf(view, view.spans[index])} ${title(view, view.spans[index])}`;
}

function forget(view) {
  Object.assign(view, { press: null, anchor: null, begun: false });
  choose(view, null);
  paint(view);
}

// ---- finger: the first word, the last word

function tap(view, event) {
  if (!view.touch) return;
  const [unit, chip] = [unitAt(view, event), chipAt(view, event)];
  const pending = view.anchor !== null;
  if (chip !== null) return hit(view, chip);
  if (unit === null) return forget(view);
  view.cursor = unit;
  if (pending) return mark(view, view.severity);
  const index = view.begun ? null : nextAt(view, unit);
  if (index !== null) return hit(view, index);
  view.anchor = unit;
  choose(view, null);
  paint(view);
}

// The mark that a click on a unit chooses: the shortest there, or the next longer one where one is chosen already.
function nextAt(view, unit) {
  const over = spansOver(view.spans, view.data.units[unit]);
  return over.length ? over[(over.indexOf(view.chosen) + 1) % over.length] : null;
}

function elementAt(view, { clientX, clientY }) {
  const found = view.body.getRootNode().elementFromPoint(clientX, clientY);
  return found && view.lines.contains(found) ? found : null;
}

function unitAt(view, event) {
  const found = elementAt(view, event);
  const part = found?.closest("[data-unit]") ?? found?.closest("ruby")?.querySelector("[data-unit]");
  return part ? Number(part.dataset.unit) : null;
}

function chipAt(view, event) {
  const found = elementAt(view, event)?.closest("[data-mark]");
  return found ? Number(found.dataset.mark) : null;
}

// ---- keyboard

function key(view, event) {
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const control = event.ctrlKey || event.metaKey;
  if (event.isComposing || event.altKey || (control && (pressed !== "z" || event.shiftKey))) return;
  const act = actOf(view, pressed, event.shiftKey);
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

function actOf(view, pressed, extend) {
  const { vertical, severities } = view.data;
  if (severities[Number(pressed) - 1]) return () => mark(view, Number(pressed) - 1);
  const before = vertical || getComputedStyle(view.lines).direction === "ltr" ? -1 : 1;
  const ways = {
    [vertical ? "ArrowUp" : "ArrowLeft"]: () => go(view, neighbour(view, before), extend),
    [vertical ? "ArrowDown" : "ArrowRight"]: () => go(view, neighbour(view, -before), extend),
    [vertical ? "ArrowRight" : "ArrowUp"]: () => go(view, overLine(view, -1), extend),
    [vertical ? "ArrowLeft" : "ArrowDown"]: () => go(view, overLine(view, 1), extend),
    Home: () => go(view, 0, extend),
    End: () => go(view, view.parts.length - 1, extend),
    Delete: () => remove(view, view.chosen ?? spanAt(view, view.cursor)),
    Backspace: () => remove(view, view.chosen ?? spanAt(view, view.cursor)),
    Escape: () => forget(view),
    z: () => undo(view),
    m: () => omit(view),
    n: () => begin(view, { stretched: true }),
    Enter: () => document.dispatchEvent(new CustomEvent("yomikurabe:onward")),
  };
  return ways[pressed];
}

function go(view, stop, extend) {
  if (stop < 0 || stop >= stops(view)) return;
  view.anchor = extend ? (view.anchor ?? Math.min(view.cursor, view.parts.length - 1)) : null;
  view.cursor = stop;
  if (!extend) choose(view, view.data.selects ? spanAt(view, stop) : null);
  paint(view);
  const shown = view.parts[stop]?.[0] ?? view.chips[stop - view.parts.length];
  shown?.scrollIntoView({ block: "nearest", inline: "nearest" });
  const share = Math.min(1, (stop + 0.5) / view.parts.length);
  document.dispatchEvent(new CustomEvent("yomikurabe:place", { detail: { lines: view.lines, share } }));
  const index = spanAt(view, stop);
  view.live.textContent = `${view.words[stop] ?? ""} ${index === null ? "" : title(view, view.spans[index])}`;
}

// The next stop; a single blank between two words is passed over, other blanks can be marked.
function neighbour(view, step) {
  const next = view.cursor + step;
  return view.words[next] === " " && next + step >= 0 && next + step < stops(view) ? next + step : next;
}

// The nearest unit of the line before or after. Lines of vertical text go from right to left.
function overLine(view, step) {
  const { vertical } = view.data;
  const place = (unit) => {
    const box = view.parts[unit][0].getClientRects()[0]; // of a word over two lines, what stands in the first
    const [across, along] = [box.left + box.width / 2, box.top + box.height / 2];
    return vertical ? [-across, along, box.width] : [along, across, box.height];
  };
  if (view.cursor >= view.parts.length) return view.parts.length - 1;
  const [line, along, size] = place(view.cursor);
  let [best, least] = [-1, Infinity];
  for (let unit = view.cursor; unit >= 0 && unit < view.parts.length; unit += step) {
    const [other, there] = place(unit);
    const lines = Math.round(((other - line) * step) / size);
    const cost = lines * 1e6 + Math.abs(there - along);
    if (lines > 0 && cost < least && view.words[unit] !== " ") [best, least] = [unit, cost];
  }
  return best;
}

// ---- clipboard and voice

// The browser's own selection is copied as it is; without one, the stretch or the chosen span, without readings.
function copy(view, event) {
  const root = view.body.getRootNode();
  const selection = root.getSelection?.() ?? document.getSelection();
  const [first, last] = stretch(view) ?? covered(view.data.units, view.spans[view.chosen] ?? { start: 0, end: 0 }) ?? [];
  if (!(selection?.isCollapsed ?? true) || first === undefined) return;
  event.clipboardData.setData("text/plain", view.words.slice(first, last + 1).join(""));
  event.preventDefault();
}

function say(view, kind, values) {
  view.live.textContent = view.data.words[kind].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
