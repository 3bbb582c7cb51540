// Marked spans as data: their order, which units of the text they cover, and what a new mark leaves of older ones.
// A span is {start, end, severity, category, side, missing, note} in half-open code points of the stored text; an
// omission without a place has start = end = 0. A unit is [start, end]: a word, or what is shown between two.
const placed = (span) => span.end > span.start;

function inOrder(spans) {
  return [...spans].sort((a, b) => placed(b) - placed(a) || a.start - b.start || a.end - b.end);
}

// The first and last unit that a place touches, or null.
function covered(units, { start, end }) {
  const first = units.findIndex((unit) => unit[1] > start);
  const last = units.findLastIndex((unit) => unit[0] < end);
  return first >= 0 && first <= last && end > start ? [first, last] : null;
}

// What is left of a span between two places, without blanks at its ends; a list of none or one.
function rest(span, units, blank, start, end) {
  const found = covered(units, { start, end });
  if (!found) return [];
  let [first, last] = found;
  while (first <= last && blank[first]) first += 1;
  while (last >= first && blank[last]) last -= 1;
  if (first > last) return [];
  return [{ ...span, start: Math.max(start, units[first][0]), end: Math.min(end, units[last][1]) }];
}

// The spans once another is marked from one unit to another. The newer one wins, older ones keep their rest; one
// that is marked anew from end to end keeps its category and note.
function withMark(spans, units, blank, [first, last], made) {
  const [start, end] = [units[first][0], units[last][1]];
  let fresh = { category: "", note: "", ...made, start, end };
  const others = spans.flatMap((span) => {
    if (!placed(span) || span.end <= start || span.start >= end) return [span];
    if (span.start === start && span.end === end) {
      fresh = { ...fresh, category: span.category, note: span.note };
      return [];
    }
    return [...rest(span, units, blank, span.start, start), ...rest(span, units, blank, end, span.end)];
  });
  return { spans: inOrder([...others, fresh]), fresh };
}

// The same places with the same severities: then only categories and notes differ.
function sameMarks(spans, others) {
  const place = ({ start, end, severity, missing }) => [start, end, severity, missing];
  return JSON.stringify(spans.map(place)) === JSON.stringify(others.map(place));
}
