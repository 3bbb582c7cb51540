// The passage: takes marks by mouse, finger and keyboard, and tells Python of every change with all the marks there are.
const views = new WeakMap();
const UNDO_DEPTH = 200;

export default function ({ data, parentElement, setTriggerValue }) {
  const view = views.get(parentElement) ?? build(parentElement);
  views.set(parentElement, view);
  const before = view.data;
  const moved = before?.item !== data.item;
  Object.assign(view, { data, send: setTriggerValue });
  const redrawn = moved || JSON.stringify([before.text, before.units]) !== JSON.stringify([data.text, data.units]);
  if (redrawn) layOut(view);
  // Marks live here. What Python draws may be older than what was just typed, so its marks count only for a new item,
  // or when its version is beyond the number of the last message: then Python had read that one, and changed something.
  if (moved || data.version > view.seq) take(view, moved);
  view.cursor = Math.min(view.cursor, Math.max(stops(view) - 1, 0));
  equip(view, view.acts);
  paint(view);
  if (moved) view.live.textContent = "";
  if (moved && data.focus && !matchMedia("(pointer: coarse)").matches) view.body.focus({ preventScroll: true });
}

function take(view, moved) {
  const { version, chosen } = view.data;
  const spans = inOrder(view.data.spans);
  if (moved) Object.assign(view, { cursor: 0, anchor: null, press: null, severity: 0, begun: false });
  if (moved || !sameMarks(spans, view.spans)) view.past = [];
  Object.assign(view, { spans, chosen, seq: version });
}

function build(parent) {
  const root = parent.appendChild(element("div", "passage"));
  const [tools, body, live, help] = ["tools", "text", "heard", "help"].map((kind) => {
    return root.appendChild(element("div", kind));
  });
  tools.setAttribute("role", "toolbar");
  live.setAttribute("role", "status");
  help.id = "passage-help";
  body.setAttribute("aria-describedby", help.id);
  body.tabIndex = 0;
  const view = { root, tools, body, live, help, data: null, spans: [], past: [], seq: 0, touch: false, begun: false };
  view.acts = {
    severity: (at) => pickSeverity(view, at),
    omit: () => omit(view),
    begin: () => begin(view, { stretched: false }),
    remove: () => remove(view, view.chosen),
    undo: () => undo(view),
  };
  listen(view);
  return view;
}

function listen(view) {
  const { body } = view;
  const when = (name, act) => body.addEventListener(name, (event) => view.data.readonly || act(view, event));
  when("pointerdown", press);
  when("pointermove", drag);
  when("pointerup", release);
  when("pointercancel", forget);
  when("mousedown", (_, event) => {
    if (event.altKey || event.button !== 0) return; // with Alt the browser's own selection goes through
    event.preventDefault();
    body.focus({ preventScroll: true });
  });
  when("click", tap);
  when("keydown", key);
  when("copy", copy);
  document.addEventListener("yomikurabe:text", () => view.data.focus && body.isConnected && body.focus());
  // The cursor and the focus frame are for the keyboard; a pointer hides them.
  body.addEventListener("pointerdown", () => view.root.classList.add("pointed"));
  for (const name of ["keydown", "blur"]) body.addEventListener(name, () => view.root.classList.remove("pointed"));
}

// ---- what changes marks

function change(view, spans, chosen, said, values) {
  view.past = [...view.past.slice(1 - UNDO_DEPTH), { spans: view.spans, chosen: view.chosen }];
  Object.assign(view, { spans, chosen: chosen < 0 ? null : chosen, anchor: null, begun: false });
  tell(view);
  view.cursor = Math.max(Math.min(view.cursor, stops(view) - 1), 0);
  paint(view);
  say(view, said, values);
}

function tell(view) {
  const { data, spans, chosen } = view;
  view.seq += 1;
  view.send("marked", { item: data.item, seq: view.seq, spans, chosen });
}

// Mark the stretch; without one, give the chosen span or the one at the cursor this severity, or mark the unit there.
function mark(view, at, missing = false) {
  const { data, spans } = view;
  const [severity, label] = data.severities[at];
  const range = stretch(view);
  const index = range ? null : (view.chosen ?? spanAt(view, view.cursor));
  view.severity = at;
  if (index !== null) {
    const changed = spans.map((span, place) => (place === index ? { ...span, severity } : span));
    change(view, changed, view.chosen, "marked", { severity: label, text: textOf(view, spans[index]) });
  } else if (range || view.cursor < view.parts.length) {
    const made = { severity, side: data.side, missing };
    const now = withMark(spans, data.units, range ?? [view.cursor, view.cursor], made);
    const chosen = data.selects ? now.spans.indexOf(now.fresh) : null;
    change(view, now.spans, chosen, "marked", { severity: label, text: textOf(view, now.fresh) });
  }
}

// An omission has no place in a translation; in a source it has, and there it is the stretch that is missing.
function omit(view) {
  const { data, spans, severity } = view;
  if (!data.omission) return;
  if (data.side === "source" && stretch(view)) return void mark(view, severity, true);
  const [name, label] = data.severities[severity];
  const place = { start: 0, end: 0, missing: true };
  const made = { ...place, severity: name, category: "", side: data.side, note: "" };
  change(view, [...spans, made], data.selects ? spans.length : null, "marked", { severity: label, text: "" });
}

// A new mark, also within or across others: the next click or tap marks, and by keyboard the word at the cursor is taken.
function begin(view, { stretched }) {
  const unit = Math.min(view.cursor, view.parts.length - 1);
  choose(view, null);
  Object.assign(view, { begun: true, anchor: stretched ? unit : null, cursor: unit });
  paint(view);
  say(view, "begun", { text: stretched ? view.words[unit] : "" });
}

function remove(view, index) {
  if (index === null) return;
  const gone = view.spans[index];
  const spans = view.spans.filter((span) => span !== gone);
  change(view, spans, null, "removed", { severity: "", text: textOf(view, gone) });
}

function undo(view) {
  const last = view.past.pop();
  if (!last) return;
  Object.assign(view, last, { anchor: null });
  tell(view);
  paint(view);
  say(view, "undone", {});
}

function choose(view, index) {
  if (view.chosen === index) return;
  view.chosen = index;
  if (view.data.selects) tell(view);
}

function pickSeverity(view, at) {
  if (view.chosen !== null || stretch(view)) return mark(view, at);
  view.severity = at;
  paint(view);
}

// ---- where things are

function stops(view) {
  return view.parts.length + view.spans.filter((span) => !placed(span)).length;
}

function stretch({ anchor, cursor, parts }) {
  if (anchor === null) return null;
  const end = Math.min(cursor, parts.length - 1);
  return [Math.min(anchor, end), Math.max(anchor, end)];
}

function spanAt({ data, spans, parts }, stop) {
  if (stop >= parts.length) {
    const omission = spans.findIndex((span) => !placed(span));
    return omission < 0 ? null : omission + stop - parts.length;
  }
  return spansOver(spans, data.units[stop] ?? [0, 0])[0] ?? null;
}

function textOf(view, span) {
  const [first, last] = covered(view.data.units, span) ?? [0, -1];
  return view.words.slice(first, last + 1).join("");
}
