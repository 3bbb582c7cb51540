// The text of a version as words in paragraphs. Offsets are code points of the stored text, readings' markup included.
// People's texts become text nodes and attributes, never HTML.

// A unit is a word, or what stands between two; a part is what a unit and a piece have in common, for ruby goes round parts.
function paragraph(view, segment, text, pieces, segmenter) {
  const block = made("p", "");
  block.dir = "auto";
  const codes = Array.from(text);
  const shown = pieces.flatMap(([start, end]) => codes.slice(start, end)).join("");
  const wide = /^(ja|zh)/.test(view.data.lang);
  block.classList.toggle("indent", wide ? !/^[\s　「『（〈《]/.test(shown) : true);
  block.classList.toggle("ruby", pieces.some(([, , reading]) => reading));
  const places = pieces.flatMap(([start, end]) => Array.from({ length: end - start }, (_, at) => start + at));
  const first = view.units.length;
  let at = 0;
  for (const { segment: word, isWordLike } of segmenter(shown)) {
    const size = Array.from(word).length;
    const unit = { segment, start: places[at], end: places[at + size - 1] + 1, word, like: isWordLike, parts: [], look: "" };
    view.units.push(unit);
    at += size;
  }
  view.unitsOf.set(segment, [first, view.units.length]);
  let index = first;
  for (const [start, end, reading] of pieces) {
    const home = reading ? block.appendChild(made("ruby", "")) : block;
    for (let from = start; from < end; ) {
      while (view.units[index].end <= from) index += 1;
      const to = Math.min(end, view.units[index].end);
      const part = home.appendChild(made("span", "", codes.slice(from, to).join("")));
      part.dataset.unit = index;
      view.units[index].parts.push(part);
      from = to;
    }
    if (reading) home.appendChild(made("rt", "", reading));
  }
  return block;
}

// Words by the browser's own rules for the language; where it has none, by blanks, or each character of a wide script.
function wordCutter(lang) {
  if (Intl.Segmenter) {
    const cutter = new Intl.Segmenter(lang, { granularity: "word" });
    return (text) => cutter.segment(text);
  }
  const pattern = /^(ja|zh|ko)/.test(lang) ? /./gsu : /\s+|[^\s]+/gu;
  return (text) => (text.match(pattern) ?? []).map((segment) => ({ segment, isWordLike: segment.trim() !== "" }));
}

// The units that a stretch touches, as first and last; null where there is none.
function unitsIn(view, { segment, start, end }) {
  const [first, after] = view.unitsOf.get(segment) ?? [0, 0];
  let [from, to] = [-1, -1];
  for (let index = first; index < after; index += 1) {
    const unit = view.units[index];
    if (unit.start < end && start < unit.end) [from, to] = [from < 0 ? index : from, index];
  }
  return from < 0 ? null : [from, to];
}

function wordsIn(view, [first, last]) {
  return view.units
    .slice(first, last + 1)
    .map(({ word }) => word)
    .join("");
}

function unitAt(view, { clientX, clientY }) {
  const found = view.root.getRootNode().elementFromPoint(clientX, clientY);
  if (!found || !view.flow.contains(found)) return null;
  const part = found.closest("[data-unit]") ?? found.closest("ruby")?.querySelector("[data-unit]");
  return part ? Number(part.dataset.unit) : null;
}

function made(name, kind, text) {
  const node = document.createElement(name);
  if (kind) node.className = kind;
  if (text) node.textContent = text;
  return node;
}

function button(label, act, sign) {
  const node = made("button", "");
  node.type = "button";
  if (sign) node.append(made("kbd", "", sign), made("span", "", label));
  else node.textContent = label;
  node.addEventListener("click", act);
  return node;
}
