// Highlights: made, changed, taken away and undone. A highlight lies in one paragraph; a change is another highlight.

function readMarks(view) {
  view.marks = new Map(view.data.highlights.map((one) => [one.mark, one]));
  for (const event of view.outbox) {
    if (event.what === "mark") view.marks.set(event.id, asMark(event));
    if (event.what === "unmark") view.marks.delete(event.mark);
  }
}

function asMark({ id, segment, start, end, kind, reason }) {
  return { mark: id, segment, start, end, kind, reason };
}

// ---- what changes them; `done` is remembered for undo

function add(view, { segment, start, end, kind, reason }, done) {
  const id = tell(view, { what: "mark", segment, start, end, kind, reason });
  view.marks.set(id, { mark: id, segment, start, end, kind, reason });
  done.push({ added: id });
  return id;
}

function drop(view, id, done) {
  const gone = view.marks.get(id);
  if (!gone) return;
  view.marks.delete(id);
  tell(view, { what: "unmark", mark: id });
  done.push({ dropped: gone });
}

// Highlight units first to last: a highlight for each paragraph, joined with those of its kind that it touches.
function highlight(view, first, last, kind) {
  const [done, touched] = [[], new Set()];
  let chosen = null;
  for (const [segment, start, end] of stretches(view, first, last)) {
    const near = [...view.marks.values()].filter(
      (one) => one.segment === segment && one.kind === kind && one.start <= end && start <= one.end,
    );
    if (near.some((one) => one.start <= start && end <= one.end)) {
      chosen = near[0].mark;
      continue;
    }
    near.forEach((one) => drop(view, one.mark, done));
    const all = [{ start, end }, ...near];
    const joined = { start: Math.min(...all.map((one) => one.start)), end: Math.max(...all.map((one) => one.end)) };
    const reason = near.map((one) => one.reason).filter(Boolean).join(" / ");
    chosen = add(view, { segment, ...joined, kind, reason }, done);
    touched.add(segment);
  }
  finishChange(view, done, touched, chosen);
  if (done.length) say(view, view.data.words.marked[kind], wordsIn(view, [first, last]));
}

function stretches(view, first, last) {
  const found = new Map();
  for (let index = first; index <= last; index += 1) {
    const { segment, start, end, word } = view.units[index];
    const known = found.get(segment);
    if (known) known[2] = end;
    else if (word.trim()) found.set(segment, [segment, start, end]);
  }
  return [...found.values()];
}

// The chosen highlight with another kind or reason.
function change(view, changes) {
  const old = view.marks.get(view.chosen);
  if (!old || Object.entries(changes).every(([name, value]) => old[name] === value)) return;
  const done = [];
  drop(view, old.mark, done);
  const id = add(view, { ...old, ...changes }, done);
  finishChange(view, done, new Set([old.segment]), id);
}

function remove(view) {
  const old = view.marks.get(view.chosen);
  if (!old) return;
  const done = [];
  drop(view, old.mark, done);
  finishChange(view, done, new Set([old.segment]), null);
  say(view, view.data.words.removed, "");
}

function undo(view) {
  const last = view.past.pop();
  if (!last) return;
  const [done, touched] = [[], new Set()];
  for (const { added, dropped } of [...last].reverse()) {
    const segment = dropped ? dropped.segment : view.marks.get(added)?.segment;
    touched.add(segment);
    if (dropped) {
      const before = dropped.mark;
      const id = add(view, dropped, done);
      view.past.forEach((steps) => steps.forEach((step) => step.added === before && (step.added = id)));
    } else drop(view, added, done);
  }
  touched.forEach((segment) => paintSegment(view, segment));
  choose(view, null);
  dressTools(view);
  say(view, view.data.words.undone, "");
}

function finishChange(view, done, touched, chosen) {
  if (done.length) view.past.push(done);
  touched.forEach((segment) => paintSegment(view, segment));
  choose(view, chosen);
  dressTools(view);
}

// ---- how they look

function paintAll(view) {
  for (const segment of view.unitsOf.keys()) paintSegment(view, segment);
}

function paintSegment(view, segment) {
  const [first, after] = view.unitsOf.get(segment) ?? [0, 0];
  const own = [...view.marks.values()].filter((one) => one.segment === segment);
  for (let index = first; index < after; index += 1) {
    const unit = view.units[index];
    const over = own.filter((one) => unit.start < one.end && one.start < unit.end);
    const kinds = [...new Set(over.map((one) => one.kind))].sort();
    const chosen = over.some((one) => one.mark === view.chosen) ? ["chosen"] : [];
    const reasoned = over.some((one) => one.reason && unit.end >= one.end) ? ["reasoned"] : [];
    const look = [...kinds, ...chosen, ...reasoned].join(" ");
    if (look === unit.look) continue;
    unit.look = look;
    for (const part of unit.parts) part.className = look;
  }
}

function markAt(view, index) {
  const { segment, start, end } = view.units[index];
  const over = [...view.marks.values()].filter((one) => one.segment === segment && one.start < end && start < one.end);
  over.sort((a, b) => a.end - a.start - (b.end - b.start));
  const place = over.findIndex((one) => one.mark === view.chosen);
  return over.length ? over[(place + 1) % over.length].mark : null;
}

// The chosen highlight has its own row below the text, in the place of the page number.
function choose(view, id) {
  const before = view.marks.get(view.chosen)?.segment ?? view.chosenSegment;
  view.chosen = id;
  const one = view.marks.get(id);
  view.chosenSegment = one?.segment;
  view.why.hidden = !one;
  view.pager.hidden = Boolean(one);
  if (one) {
    const units = unitsIn(view, one);
    view.quote.textContent = units ? wordsIn(view, units) : "";
    view.quote.dataset.kind = one.kind;
    if (view.reason !== view.root.getRootNode().activeElement) view.reason.value = one.reason;
  }
  for (const segment of new Set([before, one?.segment])) if (segment !== undefined) paintSegment(view, segment);
}
